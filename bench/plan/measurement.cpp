// Names and memory requirements of measurements.

#include <algorithm>
#include <bit>

#include "bench/plan/plan.hpp"
#include "bench/text.hpp"
#include "common/size_text.hpp"

namespace ladder::bench {

std::string Measurement::name() const {
  const auto& step = info().rung;
  std::string axes;
  for (const auto& axis : tuning_axes) {
    if ((step.axes & axis.bit) != 0) axes += concat("/", axis.name, ":", tuning.*axis.member);
  }
  return concat("reduce/", backend->name(), "/", full_name(step), "/", facts(type).name, "/",
                facts(operation).name, shape.text.empty() ? "" : "/" + shape.text, "/n:", n, axes,
                "/", ladder::name(data), plants() ? "/place:random" : "", "/", bench::name(cache),
                "/", bench::name(scope));
}

std::string Measurement::id() const { return hash_of(name()); }

std::string Measurement::tuning_text() const {
  std::vector<std::string> parts;
  for (const auto& axis : tuning_axes) {
    if ((info().rung.axes & axis.bit) != 0)
      parts.push_back(concat(axis.name.front(), tuning.*axis.member));
  }
  return join(parts, " ");
}

std::string Measurement::size_text() const {
  return concat(shape.text, shape.text.empty() ? "" : ", ", "n = ", elements_text(n), " (",
                ladder::size_text(bytes()), ")");
}

bool share_input(const Measurement& a, const Measurement& b) {
  return a.type == b.type && a.data == b.data && &a.device() == &b.device() &&
         (a.data != Data::exact || a.operation == b.operation);
}

std::size_t memory_size(const DeviceFacts& facts) {
  return std::bit_ceil(std::max<std::size_t>(std::size_t{1} << 30, 4 * facts.last_level_cache));
}

std::size_t uncached_size(const DeviceFacts& facts) {
  return std::max<std::size_t>(std::size_t{256} << 20, 4 * facts.last_level_cache);
}

std::map<std::string_view, std::size_t> resident_bytes(const Plan& plan) {
  std::map<std::string_view, std::size_t> bytes;
  for (const auto& group : groups(plan.measurements, share_input)) {
    const auto& m = **std::ranges::max_element(group, {}, &Measurement::extent);
    bytes[m.device().name()] += effective_bytes(m.extent() + guard_elements, m.type);
  }
  return bytes;
}

std::size_t bytes_for_inputs(Device& device, bool evicts) {
  // Memory of the harness besides the inputs: eviction buffer, scratch and a margin.
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
        if (&m.device() == device) most = std::max(most, m.extent_bytes());
      }
      const std::string reason =
          concat("needs ", size_text(most), ", free ", size_text(limit), " in ", device->name());
      std::erase_if(plan.measurements, [&](const Measurement& m) {
        const bool drop = &m.device() == device && m.extent_bytes() == most;
        if (drop) plan.left_out[reason].insert(m.who());
        return drop;
      });
    }
  }
}

}  // namespace ladder::bench
