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
  /// |got - exact| in units in the last place of the exact result; 0 where they are equal.
  double ulps = 0;
  /// The bound allows so much (k·u > 0.01) that it checks next to nothing; said in the record.
  bool vacuous = false;
  std::string message;  ///< empty where ok
  /// What min and max make of NaN and of -0 is declared to be open, and the result is one that only
  /// this allows; said in the record.
  bool left_open = false;
};

/// Holds `got` against the reference. Integers, selections and every result over `exact` data must
/// be the reference to the bit (`rounds` false). A floating sum over other data may differ by
/// gamma_k · sum|x|, gamma_k = k·u / (1 - k·u), where k is the depth of the rung's summation
/// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §4.2). Where a partial sum may
/// overflow on the way, which depends on the order of additions, every result is allowed if the
/// exact one is finite, else every one that is not; the verdict then is `vacuous`.
Verdict check(const Value& got, const Reference& reference, bool rounds, std::size_t depth);

/// Holds the results of all groups, one behind the other, against their references, as `check`
/// does; the first that is wrong is named, and how many are. Behind them lies one more accumulator,
/// whose bytes have to be `untouched`.
Verdict check_groups(std::span<const std::byte> results, const GroupReferences& references,
                     bool rounds, std::size_t depth, std::byte untouched);

/// Likewise for a min or max of floating elements whose rung is declared `nan_unspecified`: where
/// the reference is NaN every result is allowed, and where it is zero each of the two zeros.
Verdict check_left_open(const Value& got, const Reference& reference);

/// Whether it is such a one.
constexpr bool leaves_open(unsigned traits, Type type, Operation operation) {
  return (traits & nan_unspecified) != 0 && !facts(type).integer &&
         (operation == Operation::min || operation == Operation::max);
}

/// Whether results of such a reduction are rounded: a floating sum over anything but `exact` data.
constexpr bool rounds(Type type, Operation operation, Data data) {
  return !facts(type).integer && operation == Operation::sum && data != Data::exact;
}

}  // namespace ladder
