#pragma once

// Rungs that are wrong on purpose, to verify that the check detects faults. A backend's library of
// them (`ladder_<backend>_faulty`, in tests/<backend>/) defines, in namespace
// `ladder::<backend>::faulty`,
//
//   std::vector<std::unique_ptr<Backend>> backends();
//
// which returns the backend with these rungs after its own, and adds their faults to `known`.

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "common/types.hpp"

namespace ladder::faults {

using Acts = bool (*)(Type, std::size_t n, unsigned block);
using Place = std::size_t (*)(Type, std::size_t n, unsigned block);

/// The fault of a rung and how to expose it. `block` is that of the resolved tuning.
struct Fault {
  std::string_view id;  ///< as in the backend's table: "fault_drops_last"
  /// True if the fault acts on a reduction of n elements. Null if the rung's behaviour is
  /// undefined: its results may be right, and only a tool can find the fault.
  Acts acts;
  /// Index at which the extremum must be planted to expose the fault in a min or max.
  Place place;
};

// Values of `acts` and `place` for most faults.
constexpr bool always(Type, std::size_t n, unsigned) { return n > 0; }
constexpr std::size_t last(Type, std::size_t n, unsigned) { return n - 1; }

/// Faults by model, which is the part of a backend's name before the slash.
inline std::map<std::string_view, std::vector<Fault>> known;

}  // namespace ladder::faults
