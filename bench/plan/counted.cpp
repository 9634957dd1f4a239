// What --energy asks of a plan.

#include <algorithm>
#include <bit>

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
    constexpr std::size_t guards = guard_elements * sizeof(double);  // behind each input
    const std::size_t room = bytes_for_inputs(*planned.device) / inputs;
    bytes = std::min(bytes, std::bit_floor(std::max(room, guards + 1) - guards));
  }
  return bytes;
}

}  // namespace ladder::bench
