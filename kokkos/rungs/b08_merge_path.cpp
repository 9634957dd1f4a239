// b08 merge_path: segments of any lengths are equal work. A team takes a share of the elements and
// ends of segments together, in tiles that come into team scratch; in a tile each leaf has seven
// steps, and a scan brings what is open behind a leaf to the leaf that ends it. Where a segment
// fills a tile, the team reduces all that it has of it in vectors. Who draws the last ticket joins
// segments that go through several teams.

#include "kokkos/batch_segments.hpp"

namespace ladder::kokkos::b08 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    by_merge_path(queue, problem);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b08
