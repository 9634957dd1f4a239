#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/gpu/model.hpp"
#include "several/gpu/jobs.hpp"
#include "several/gpu/topology.hpp"

namespace ladder::cuda {
std::vector<std::unique_ptr<Backend>> backends();
}

namespace ladder::several::cuda {
namespace {

std::vector<Fact> topology(std::span<Device* const> devices) {
  return gpu::topology<ladder::cuda::Runtime>(devices, "cudaDeviceGetP2PAttribute");
}

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Own> own{{"m02", m02::carries, m02::prepare, m02::prepare_told}};
#if LADDER_HAVE_NCCL
  own.push_back({"m01", m01::carries, m01::prepare});
#endif
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(in_one_process(ladder::cuda::backends, std::move(own), topology));
  return one;
}

}  // namespace ladder::several::cuda
