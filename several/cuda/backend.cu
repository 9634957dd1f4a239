#include <span>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "cuda/queue.hpp"
#include "several/cuda/rungs.hpp"

namespace ladder::cuda {
std::vector<std::unique_ptr<Backend>> backends();
}

namespace ladder::several::cuda {
namespace {

using ladder::cuda::Runtime;

/// Of each pair of devices: whether one reaches the other's memory, whether by atomic operations
/// too (NVLink does), and the driver's rank of the way between them, 0 being the best.
std::vector<Fact> topology(std::span<Device* const> devices) {
  std::vector<int> gpus;
  for (Device* const device : devices) {
    device->select();
    Runtime::check(cudaGetDevice(&gpus.emplace_back()));
  }
  devices.front()->select();
  std::vector<Fact> facts;
  for (const int from : gpus) {
    for (const int to : gpus) {
      if (from == to) continue;
      const auto attribute = [&](cudaDeviceP2PAttr which) {
        int value = 0;
        Runtime::check(cudaDeviceGetP2PAttribute(&value, which, from, to));
        return value;
      };
      std::string said = "no access";
      if (attribute(cudaDevP2PAttrAccessSupported) != 0) {
        said = attribute(cudaDevP2PAttrNativeAtomicSupported) != 0 ? "access and atomics, rank "
                                                                   : "access, rank ";
        said += std::to_string(attribute(cudaDevP2PAttrPerformanceRank));
      }
      facts.push_back({"GPU " + std::to_string(from) + " to GPU " + std::to_string(to), said,
                       "cudaDeviceGetP2PAttribute"});
    }
  }
  return facts;
}

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Own> own{{"m02", m02::carries, m02::prepare}};
#if LADDER_HAVE_NCCL
  own.push_back({"m01", m01::carries, m01::prepare});
#endif
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(in_one_process(ladder::cuda::backends, std::move(own), topology));
  return one;
}

}  // namespace ladder::several::cuda
