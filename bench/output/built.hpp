#pragma once

// What a reader of the tables has to know of how this executable was built.

#include <span>
#include <string>

#include "common/build_info.hpp"

namespace ladder::bench {

/// A line for each compiler that was told not to optimize, with its flags; empty where all do.
std::string unoptimized_text(std::span<const BuildFact> facts = build_info().facts);

}  // namespace ladder::bench
