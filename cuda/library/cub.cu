// library_cub: cub::DeviceReduce of the toolkit in its default mode, the same bits each time on one
// GPU.

#include "cuda/library/cub.hpp"

namespace ladder::cuda::library_cub {

Run<Queue> find(Type type, Operation op) { return pick<Queue, ByDefault>(Everything{}, type, op); }

}  // namespace ladder::cuda::library_cub
