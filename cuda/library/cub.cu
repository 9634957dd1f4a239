// library_cub: cub::DeviceReduce of the toolkit in its default mode, the same bits each time on one
// GPU.

#include "cuda/library/cub_segmented.hpp"

namespace ladder::cuda::library_cub {

Run<Queue> find(Type type, Operation op) { return pick<Queue, ByDefault>(Everything{}, type, op); }

}  // namespace ladder::cuda::library_cub

// library_cub_segmented: cub::DeviceSegmentedReduce of the toolkit.
namespace ladder::cuda::library_cub_segmented {
namespace {
template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    segmented<Case, false>(queue, problem);
  }
};
}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::cuda::library_cub_segmented
