// b04 staged_rows: rows that do not begin at boundaries of 16 bytes leave b03 with elements one by
// one. Here a tile of rows, with what lies between them, is one array that comes into team scratch
// in vectors, and rows are looked for there. Rows that a tile has no room for, or that lie far from
// each other, go as b03's.

#include "kokkos/batch_staged.hpp"

namespace ladder::kokkos::b04 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    if (can_be_staged(problem)) return by_staged_rows(queue, problem);
    by_lanes(queue, problem);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::kokkos::b04
