// library_cub: the toolkit's cub::DeviceReduce in its default mode, which is run-to-run
// deterministic on one GPU.

#include "cuda/library/cub_segmented.hpp"

namespace ladder::cuda::library_cub {

Run<Queue> find(Type type, Operation op) { return pick<Queue, ByDefault>(Everything{}, type, op); }

}  // namespace ladder::cuda::library_cub

// library_cub_segmented: the toolkit's cub::DeviceSegmentedReduce.
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
