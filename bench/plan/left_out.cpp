// What a plan leaves out: sizes that memory has no room for, options that nothing takes.

#include <algorithm>

#include "bench/plan/plan.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {

std::map<std::string_view, std::size_t> resident_bytes(const Plan& plan) {
  std::map<std::string_view, std::size_t> bytes;
  for (const auto& group : groups(plan.measurements, share_input)) {
    const auto& m = **std::ranges::max_element(group, {}, &Measurement::extent);
    bytes[m.device().name()] += effective_bytes(m.extent() + guard_elements, m.type);
  }
  return bytes;
}

std::size_t bytes_for_inputs(Device& device, bool evicts) {
  // What the harness takes beside the inputs: the eviction buffer, scratch, and some air.
  const std::size_t air = device.facts().kind == "gpu" ? 256 : 64;
  const std::size_t own = (evicts ? device.eviction().bytes : 0) + (air << 20);
  std::size_t free = 0;
  try {
    free = device.free_bytes();
  } catch (const std::exception& error) {
    if (const auto lost = device.recover())
      throw DeviceLost(concat("device lost: ", error.what(), "; ", *lost));
    throw;
  }
  return free > own ? free - own : 0;
}

void fit_memory(Plan& plan) {
  for (const auto& planned : plan.devices) {
    Device* const device = planned.device;
    const bool evicts = std::ranges::any_of(plan.measurements, [&](const Measurement& m) {
      return &m.device() == device && m.cache == Cache::cold;
    });
    const std::size_t limit = bytes_for_inputs(*device, evicts);
    while (resident_bytes(plan)[device->name()] > limit) {
      std::size_t most = 0;
      for (const auto& m : plan.measurements) {
        if (&m.device() == device) most = std::max(most, m.bytes());
      }
      const std::string reason =
          concat("needs ", size_text(most), ", free ", size_text(limit), " in ", device->name());
      std::erase_if(plan.measurements, [&](const Measurement& m) {
        const bool drop = &m.device() == device && m.bytes() == most;
        if (drop) plan.skipped.push_back({m.name(), reason});
        return drop;
      });
    }
  }
}

void find_ignored(const Selection& selection, Plan& plan) {
  if (plan.measurements.empty()) return;  // there are other reasons then
  const auto none = [&](auto takes) { return std::ranges::none_of(plan.measurements, takes); };
  for (const auto& axis : tuning_axes) {
    const bool given = selection.tuning.contains(axis.name);
    if (given && none([&](const Measurement& m) { return (m.info().rung.axes & axis.bit) != 0; }))
      plan.ignored.push_back(concat("--", axis.name, ": no rung that is measured has ", axis.help));
  }
  const bool gpu = std::ranges::any_of(
      plan.devices, [](const auto& planned) { return planned.device->facts().kind == "gpu"; });
  if (selection.devices.front() != 0 && !gpu)
    plan.ignored.push_back(
        concat("--device=", join(selection.devices, ","), ": no GPU is measured"));
}

}  // namespace ladder::bench
