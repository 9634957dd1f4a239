#pragma once

// The standard sweeps: selections that have a name.

#include <string>
#include <vector>

namespace ladder::bench {

/// The lists of the command line that a sweep can set, as one types them; empty: not given.
struct Lists {
  std::string rungs{}, types{}, operations{}, sizes{}, block{}, grid{}, items{};
};

struct Sweep {
  std::string name, what;
  Lists sets;  ///< without rungs, it is over all
};

/// The only table of them.
const std::vector<Sweep>& sweeps();

/// Sets in `given` what is not given there and `chosen` sweeps set: the union of what they say.
/// Rungs are all where one of them is over all.
void fill_in(Lists& given, const std::vector<const Sweep*>& chosen);

/// The table, for --help.
std::string sweeps_text();

}  // namespace ladder::bench
