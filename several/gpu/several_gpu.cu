// CUDA or HIP devices in one process: m00, and the rungs that use the model's API.

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/gpu/model.hpp"
#include "several/gpu/links.hpp"
#include "several/gpu/several_gpu.hpp"

namespace ladder::LADDER_MODEL {
std::vector<std::unique_ptr<Backend>> backends();
}

namespace ladder::several::LADDER_MODEL {
namespace {

/// Peer access from one GPU to another: access, native atomics (NVLink and Infinity Fabric have
/// them), and the driver's rank of the link. Omits what the library does not report.
std::string access_between(int from, int to) {
  const auto told = [&](auto what) {
    int value = 0;
    if (LADDER_GPU(DeviceGetP2PAttribute)(&value, what, from, to) == Runtime::success) return value;
    (void)Runtime::last_error();
    return -1;
  };
  const int access = told(LADDER_GPU(DevP2PAttrAccessSupported));
  const int rank = told(LADDER_GPU(DevP2PAttrPerformanceRank));  // 0 is the best
  if (access < 0) return {};
  if (access == 0) return "no access";
  return std::string("access") +
         (told(LADDER_GPU(DevP2PAttrNativeAtomicSupported)) > 0 ? " and atomics" : "") +
         (rank >= 0 ? ", rank " + std::to_string(rank) : "");
}

/// Peer access of each ordered pair of devices.
std::vector<Fact> topology(std::span<Device* const> devices) {
  std::vector<int> numbers;
  for (Device* const device : devices) numbers.push_back(number_of(*device));
  devices.front()->select();
  std::vector<Fact> facts;
  for (const int from : numbers) {
    for (const int to : numbers) {
      if (from == to) continue;
      if (auto said = access_between(from, to); !said.empty())
        facts.push_back({"GPU " + std::to_string(from) + " to GPU " + std::to_string(to),
                         std::move(said), std::string(Runtime::model) + "DeviceGetP2PAttribute"});
    }
  }
  return facts;
}

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Own> own{{"m02", m02::carries, m02::prepare}};
#if LADDER_HAVE_COLLECTIVES
  own.push_back({"m01", m01::carries, nullptr, m01::combine});
#endif
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(in_one_process(ladder::LADDER_MODEL::backends, std::move(own), topology));
  return one;
}

}  // namespace ladder::several::LADDER_MODEL
