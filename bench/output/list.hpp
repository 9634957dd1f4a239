#pragma once

// What this build has, for --list.

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <span>

#include "common/model/backend.hpp"

namespace ladder::bench {

/// Every backend and rung of this build; as JSON also the ladders, the axes, the types and the
/// kinds of records. Opens nothing. What does not fit so many columns goes on in the next line.
void print_list(std::ostream& out, std::span<const std::unique_ptr<Backend>> backends, bool json,
                std::size_t columns);

}  // namespace ladder::bench
