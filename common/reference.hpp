#pragma once

// The right results, found without any rung's code: exact sums in integers or expansions,
// everything else by the operation's own definition, element after element.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/data.hpp"
#include "common/problem.hpp"
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

/// The results of a problem's groups.
struct GroupReferences {
  Type type = Type::f32;          ///< of a result: the accumulator
  std::vector<std::byte> values;  ///< the exact results, each rounded once, one behind the other
  std::vector<double> remainders,
      magnitudes;  ///< as in `Reference`; only where results are rounded

  std::size_t count() const { return values.size() / facts(type).bytes; }
  Reference at(std::size_t group) const;
};

/// The references of all groups; `offsets`: of segments, on the host. With `rounded` what `check`
/// needs of a result that is rounded is kept too. Throws as `references`.
GroupReferences group_references(const Elements& elements, Operation operation,
                                 const Groups& groups, std::span<const std::int64_t> offsets,
                                 bool rounded, unsigned threads);

/// Changes the reference of a group after the element at `index` has become the planted one.
void plant(GroupReferences& references, std::size_t group, const Recipe& recipe, Type type,
           std::uint64_t index);

}  // namespace ladder
