#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/backend.hpp"
#include "common/roster.hpp"
#include "cpu/queue.hpp"

namespace ladder::cpu {

/// The CPU with OpenMP, and entries past its own rungs (tests link such).
std::unique_ptr<Backend> make_backend(std::span<const ladder::Extra<Queue>> more);

std::vector<std::unique_ptr<Backend>> backends();

}  // namespace ladder::cpu
