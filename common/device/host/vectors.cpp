#include "common/device/host/vectors.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "common/device/device.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "common/device/host/vectors.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ladder::host::HWY_NAMESPACE {

/// The target, and its vector size in bytes.
std::pair<std::int64_t, std::size_t> found() {
  const hwy::HWY_NAMESPACE::ScalableTag<std::uint8_t> bytes;
  return {HWY_TARGET, hwy::HWY_NAMESPACE::Lanes(bytes)};
}

}  // namespace ladder::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ladder::host {
namespace {

HWY_EXPORT(found);

/// Bits of the disabled targets.
std::int64_t& disabled() {
  static std::int64_t targets = 0;
  return targets;
}

/// The targets of `vector_targets`, one bit each.
std::vector<std::int64_t> targets() {
  hwy::DisableTargets(0);
  auto all = hwy::SupportedAndGeneratedTargets();
  hwy::DisableTargets(disabled());  // after SupportedTargets, which selects among all
  return all;
}

}  // namespace

VectorTarget vector_target() {
  const std::pair<std::int64_t, std::size_t> target = HWY_DYNAMIC_DISPATCH(found)();
  return {hwy::TargetName(target.first), target.second};
}

std::vector<std::string> vector_targets() {
  std::vector<std::string> names;
  for (const std::int64_t target : targets()) names.emplace_back(hwy::TargetName(target));
  return names;
}

void limit_vector_targets(const std::string& names) {
  const auto here = targets();
  std::int64_t wanted = 0;
  std::istringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    const auto known_target = std::ranges::find(
        here, name, [](std::int64_t target) { return std::string_view(hwy::TargetName(target)); });
    if (known_target == here.end()) {
      std::string known;
      for (const std::string& one : vector_targets()) known += (known.empty() ? "" : ", ") + one;
      throw NotPossible("vectors of '" + name + "' cannot be had here; choose from " + known);
    }
    wanted |= *known_target;
  }
  disabled() = wanted == 0 ? 0 : ~wanted;
  hwy::DisableTargets(disabled());
}

}  // namespace ladder::host
#endif
