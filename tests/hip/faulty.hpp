#pragma once

// The HIP backend with rungs that are wrong on purpose past its own, and r16 under a second name.

#include <memory>
#include <span>
#include <vector>

#include "common/backend.hpp"
#include "tests/faults.hpp"

namespace ladder::hip::faulty {

std::vector<std::unique_ptr<Backend>> backends();

std::span<const faults::Fault> faults();

}  // namespace ladder::hip::faulty
