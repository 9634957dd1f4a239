#pragma once

// The verdict on a result.

#include <cstddef>
#include <span>
#include <string>

#include "common/ladder.hpp"
#include "common/reference.hpp"

namespace ladder {

struct Verdict {
  bool ok = false;
  /// |got - exact| in units in the last place of the exact result; 0 if equal.
  double ulps = 0;
  /// The bound is so loose (k·u > 0.01) that it checks next to nothing; recorded.
  bool vacuous = false;
  std::string message;  ///< empty if ok
  /// The result is allowed only because NaN and -0 are declared open for min and max; recorded.
  bool left_open = false;
};

/// Checks `got` against the reference. Integers, selections and every result over `exact` data must
/// equal the reference to the bit, any NaN any NaN (`rounds` false). A floating sum over other data
/// may differ by gamma_k · sum|x|, gamma_k = k·u / (1 - k·u), where k is the depth of the rung's
/// summation (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §4.2). If some order
/// of additions may overflow, every result is allowed if the exact one is finite, else every one
/// that is not; the verdict then is `vacuous`.
Verdict check(const Value& got, const Reference& reference, bool rounds, std::size_t depth);

/// Checks the contiguous results of all groups as `check` does. The message has the first wrong
/// group and the number of wrong ones. One more accumulator follows the results; its bytes must be
/// `untouched`.
Verdict check_groups(std::span<const std::byte> results, const GroupReferences& references,
                     bool rounds, std::size_t depth, std::byte untouched);

/// As `check`, for a min or max of floating elements whose rung is declared `nan_unspecified`. If
/// the reference is NaN, every result is allowed; if it is zero, both zeros are.
Verdict check_left_open(const Value& got, const Reference& reference);

/// True if the rung leaves NaN and -0 open for this type and operation.
constexpr bool leaves_open(unsigned traits, Type type, Operation operation) {
  return (traits & nan_unspecified) != 0 && !facts(type).integer &&
         (operation == Operation::min || operation == Operation::max);
}

/// True if results of such a reduction are rounded: a floating sum over anything but `exact` data.
constexpr bool rounds(Type type, Operation operation, Data data) {
  return !facts(type).integer && operation == Operation::sum && data != Data::exact;
}

}  // namespace ladder
