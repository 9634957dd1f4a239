// m01 collective: as in m00 every device reduces its share by r30; then NCCL, or RCCL on AMD,
// combines the results where they are, by ncclAllReduce on the same streams, so that the host waits
// once and every device has the result.

#include "common/gpu/model.hpp"
#include "several/gpu/collective.hpp"
#include "several/gpu/jobs.hpp"

namespace ladder::LADDER_MODEL::r30 {
Run<Queue> find(Type, Operation);
}

namespace ladder::several::LADDER_MODEL::m01 {

bool carries(Type type, Operation operation) {
  return gpu::has(type, operation) && ladder::LADDER_MODEL::r30::find(type, operation) != nullptr;
}

std::unique_ptr<Job> prepare(std::span<const Side> sides, const Problem& problem) {
  return std::make_unique<gpu::Collective<ladder::LADDER_MODEL::Runtime>>(
      sides, problem, ladder::LADDER_MODEL::r30::find(problem.type, problem.operation));
}

}  // namespace ladder::several::LADDER_MODEL::m01
