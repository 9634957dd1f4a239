#pragma once

// What this build has, for --list.

#include <iosfwd>
#include <memory>
#include <span>

#include "common/model/backend.hpp"

namespace ladder::bench {

/// Every backend and rung of this build; as JSON also the ladders, the axes and the types. Opens
/// nothing.
void print_list(std::ostream& out, std::span<const std::unique_ptr<Backend>> backends, bool json);

}  // namespace ladder::bench
