#pragma once

// What a plan needs of each device's memory.

#include <map>
#include <string>

#include "bench/plan/plan.hpp"

namespace ladder::bench {

/// Slack behind every resident input for the guards, in elements.
inline constexpr std::size_t guard_elements = 64;

/// Bytes of input that the plan keeps resident on each device, by the device's name.
std::map<std::string_view, std::size_t> resident_bytes(const Plan& plan);

/// Leaves out the largest sizes until the inputs that are resident together fit.
void fit_memory(Plan& plan);

}  // namespace ladder::bench
