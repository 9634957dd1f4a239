#pragma once

// The standard sweeps: selections that have a name.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ladder::bench {

struct StandardSweep {
  std::string_view name, says;
  /// Options and what it sets them to; without "--rungs", it is over all.
  std::vector<std::pair<std::string_view, std::string_view>> sets;
};

/// The only table of them.
std::span<const StandardSweep> standard_sweeps();

/// The table, for --help.
std::string standard_sweeps_text();

}  // namespace ladder::bench
