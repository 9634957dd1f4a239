#pragma once

#include <cstdint>
#include <string>

namespace ladder::bench {

/// One of the fresh processes that --processes runs one after the other, each with the same
/// measurements. What a process finds depends on where its memory and its code came to lie, so one
/// process is one sample of the machine.
struct Process {
  unsigned index = 1, of = 1;
  /// The run that began the study, the same for all of its processes; empty: this one's.
  std::string group;
  /// Seeds where the process puts its memory, and the order in which it loads its code; 0: as the
  /// runtime gives it.
  std::uint64_t places = 0;
};

}  // namespace ladder::bench
