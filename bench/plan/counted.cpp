// What --energy asks of a plan.

#include <algorithm>

#include "bench/plan/plan.hpp"
#include "bench/text.hpp"

namespace ladder::bench {

void keep_counted(Plan& plan) {
  std::vector<std::string> without;
  std::erase_if(plan.devices, [&](const PlannedDevice& planned) {
    try {
      planned.device->energy_counter();
      return false;
    } catch (const NotPossible& reason) {
      without.push_back(concat(planned.device->name(), ": ", reason.what()));
      std::erase_if(plan.backends, [&](const Backend* backend) {
        return std::ranges::find(planned.backends, backend) != planned.backends.end();
      });
      return true;
    }
  });
  if (plan.devices.empty())
    throw NotPossible(concat("--energy: nothing counts it: ", join(without, "; ")));
  for (const auto& sentence : without) plan.notes.push_back(concat("the energy of ", sentence));
}

std::size_t energy_size(const Plan& plan, std::size_t inputs) {
  std::size_t bytes = std::size_t{4} << 30;
  for (const auto& planned : plan.devices) {
    // With the guards behind each input.
    const auto room = bytes_for_inputs(*planned.device) / inputs;
    while (bytes > 1 && bytes + guard_elements * sizeof(double) > room) bytes /= 2;
  }
  return bytes;
}

}  // namespace ladder::bench
