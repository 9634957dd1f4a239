#pragma once

// The standard sweeps: selections that have a name.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ladder::bench {

/// Values of the command line's options as typed, by the options' names; empty: not given.
using Options = std::map<std::string, std::string, std::less<>>;

struct StandardSweep {
  std::string_view name, says;
  /// Options and what it sets them to; without "rungs", it is over all.
  std::vector<std::pair<std::string_view, std::string_view>> sets;
};

/// The only table of them.
const std::vector<StandardSweep>& standard_sweeps();

/// Sets in `given` what is not given there and `chosen` sweeps set: the union of what they say.
/// Rungs are all where one of them is over all.
void fill_in(Options& given, const std::vector<const StandardSweep*>& chosen);

/// The table, for --help.
std::string standard_sweeps_text();

}  // namespace ladder::bench
