#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <hip/hip_runtime.h>

#include "common/gpu/model.hpp"
#include "several/gpu/jobs.hpp"
#include "several/gpu/topology.hpp"

namespace ladder::hip {
std::vector<std::unique_ptr<Backend>> backends();
}

namespace ladder::several::hip {
namespace {

#if defined(__HIP_PLATFORM_NVIDIA__)

using Links = gpu::NoLinks;

#else

struct Links {
  /// What kind of link leads from one to the other, and over how many.
  std::vector<Fact> operator()(int from, int to) const {
    // Of hsa_amd_link_info_type_t, which the answer is a value of.
    constexpr std::array kinds{"HyperTransport", "QPI", "PCIe", "InfiniBand", "xGMI"};
    std::uint32_t kind = 0, hops = 0;
    const hipError_t code = hipExtGetLinkTypeAndHopCount(from, to, &kind, &hops);
    if (code != hipSuccess) {
      (void)hipGetLastError();
      return {};
    }
    const std::string name = kind < kinds.size() ? kinds[kind] : "kind " + std::to_string(kind);
    return {{"link", name + ", " + std::to_string(hops) + (hops == 1 ? " hop" : " hops"),
             "hipExtGetLinkTypeAndHopCount"}};
  }
};

#endif

std::vector<Fact> topology(std::span<Device* const> devices) {
  return gpu::topology<ladder::hip::Runtime>(devices, "hipDeviceGetP2PAttribute", Links());
}

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Own> own{{"m02", m02::carries, m02::prepare, m02::prepare_told}};
#if LADDER_HAVE_COLLECTIVES
  own.push_back({"m01", m01::carries, m01::prepare});
#endif
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(in_one_process(ladder::hip::backends, std::move(own), topology));
  return one;
}

}  // namespace ladder::several::hip
