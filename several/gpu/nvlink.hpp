#pragma once

// The NVLinks between the GPUs of a process.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/device/nvidia/nvml.hpp"
#include "several/gpu/topology.hpp"

namespace ladder::several::gpu {

/// Of each pair that is asked for; each GPU's links are asked for once.
class NvLinks {
 public:
  std::vector<Fact> operator()(const Place& from, const Place& to) {
    auto said = nvidia::nvlink_between(of(from), of(to), to.address);
    if (!said) return {};
    return {{"NVLink", std::move(*said), "nvmlDeviceGetNvLinkState, nvmlDeviceGetFieldValues"}};
  }

 private:
  const std::vector<nvidia::Link>& of(const Place& place) {
    const auto [found, is_new] = known_.try_emplace(place.number);
    if (is_new) found->second = nvidia::Nvml(place.address).links();
    return found->second;
  }

  std::map<int, std::vector<nvidia::Link>> known_;
};

}  // namespace ladder::several::gpu
