// m01 collective: as in m00 every device reduces its share by r30; then NCCL combines the results
// where they are, by ncclAllReduce on the same streams, so that the host waits once and every
// device has the result.

#include "common/gpu/model.hpp"
#include "several/cuda/rungs.hpp"
#include "several/gpu/collective.hpp"

namespace ladder::cuda::r30 {
Run<Queue> find(Type, Operation);
}

namespace ladder::several::cuda::m01 {

bool carries(Type type, Operation operation) {
  return gpu::has(type, operation) && ladder::cuda::r30::find(type, operation) != nullptr;
}

std::unique_ptr<Job> prepare(std::span<const Side> sides, const Problem& problem) {
  return std::make_unique<gpu::Collective<ladder::cuda::Runtime>>(
      sides, problem, ladder::cuda::r30::find(problem.type, problem.operation));
}

}  // namespace ladder::several::cuda::m01
