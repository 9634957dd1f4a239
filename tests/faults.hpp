#pragma once

// Rungs that are wrong on purpose, so that the check is seen to fail. A backend's library of them
// (`ladder_<backend>_faulty`, in tests/<backend>/) defines, in namespace
// `ladder::<backend>::faulty`,
//
//   std::vector<std::unique_ptr<Backend>> backends();
//
// which gives the backend with these rungs past its own, and writes what it knows of them into
// `known`.

#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "common/types.hpp"

namespace ladder::faults {

using Acts = bool (*)(Type, std::size_t n, unsigned block);
using Place = std::size_t (*)(Type, std::size_t n, unsigned block);

/// What a faulty rung does wrong, and how to make it show. `block` is that of the resolved tuning.
struct Fault {
  std::string_view id;  ///< as in the backend's table: "fault_drops_last"
  /// Whether the fault acts on a reduction of n elements. Null where what the rung does is
  /// undefined: its results may be right, and only a tool can find the fault.
  Acts acts;
  /// The index at which the extremum has to stand for the fault to show in a min or max.
  Place place;
};

// Whether most act, and where.
constexpr bool always(Type, std::size_t n, unsigned) { return n > 0; }
constexpr std::size_t last(Type, std::size_t n, unsigned) { return n - 1; }

/// The faults of each model: what stands before a slash in the names that backends have.
inline std::map<std::string_view, std::vector<Fault>> known;

}  // namespace ladder::faults
