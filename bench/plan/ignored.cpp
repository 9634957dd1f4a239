#include <algorithm>

#include "bench/plan/plan.hpp"
#include "bench/text.hpp"

namespace ladder::bench {

void find_ignored(const Selection& selection, Plan& plan) {
  if (plan.measurements.empty()) return;  // there are other reasons then
  const auto none = [&](auto takes) { return std::ranges::none_of(plan.measurements, takes); };
  for (const auto& axis : tuning_axes) {
    const bool given = selection.tuning.contains(axis.name);
    if (given && none([&](const Measurement& m) { return (m.info().rung.axes & axis.bit) != 0; }))
      plan.ignored.push_back(concat("--", axis.name, ": no rung that is measured has ", axis.help));
  }
  if (selection.places_given && none([](const Measurement& m) { return m.place.has_value(); }))
    plan.ignored.emplace_back(
        "--place: only min, max, and, or over exact data have a deciding element");
  const bool gpu = std::ranges::any_of(
      plan.devices, [](const auto& planned) { return planned.device->facts().kind == "gpu"; });
  if (selection.device != 0 && !gpu)
    plan.ignored.push_back(concat("--device=", selection.device, ": no GPU is measured"));
}

}  // namespace ladder::bench
