#pragma once

// The right results, found without any rung's code: exact sums in integers or expansions,
// everything else by the operation's own definition, element after element.

#include <cstddef>
#include <span>
#include <vector>

#include "common/data.hpp"
#include "common/value.hpp"

namespace ladder {

/// The result of reducing the first n elements.
struct Reference {
  std::size_t n = 0;
  /// The exact result, rounded once to the accumulator's type: infinite where that cannot hold it.
  Value value;
  double remainder =
      0;  ///< exact result less `value`: not zero only where a floating sum had to be rounded
  /// The sum of |x| over the finite elements, on which error bounds rest; floating sums only.
  double magnitudes = 0;
};

/// The elements: those of a recipe, or, with `Data::file`, an array in host memory of elements of
/// the type.
struct Elements {
  Type type = Type::f32;
  Recipe recipe;
  const void* array = nullptr;
};

/// References for prefixes of lengths `sizes` (any order, repeats allowed), in that order, from one
/// pass over the elements shared among `threads` threads. The largest size must not pass the end of
/// the array. Throws std::invalid_argument for a floating product of anything but `exact` data: it
/// leaves the type's range and checks nothing.
std::vector<Reference> references(const Elements& elements, Operation operation,
                                  std::span<const std::size_t> sizes, unsigned threads);

/// `reference` after the element at `index` (of the recipe's `exact` data) has become the planted
/// one.
Reference with_planted(const Reference& reference, Type type, const Recipe& recipe,
                       std::uint64_t index);

}  // namespace ladder
