#pragma once

// Expected results, computed without any rung's code: exact sums in integers or expansions, all
// others by the operation's own definition, element by element.

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
  /// The exact result, rounded once to the accumulator's type: infinite if out of its range.
  Value value;
  double remainder = 0;  ///< exact result minus `value`; nonzero only for a rounded floating sum
  /// Sum of |x| over the finite elements, for error bounds; floating sums only.
  double magnitudes = 0;
};

/// The elements of a recipe or, with `Data::file`, of an array of the type in host memory.
struct Elements {
  Type type = Type::f32;
  Recipe recipe;
  const void* array = nullptr;
};

/// References for prefixes of lengths `sizes` (any order, repeats allowed), in that order, from one
/// pass over the elements by `threads` threads. No size may pass the end of the array. Throws
/// std::invalid_argument for bit operations on floating types, and for a floating product of
/// anything but `exact` data: it leaves the type's range and checks nothing.
std::vector<Reference> references(const Elements& elements, Operation operation,
                                  std::span<const std::size_t> sizes, unsigned threads);

/// `reference` with the element at `index` (of the recipe's `exact` data) replaced by the planted
/// one.
Reference with_planted(const Reference& reference, Type type, const Recipe& recipe,
                       std::uint64_t index);

/// The results of a problem's groups.
struct GroupReferences {
  Type type = Type::f32;          ///< of the results: the accumulator
  std::vector<std::byte> values;  ///< exact results, each rounded once, contiguous
  std::vector<double> remainders,
      magnitudes;  ///< as in `Reference`; empty unless `rounded`

  std::size_t count() const { return values.size() / facts(type).bytes; }
  Reference at(std::size_t group) const;
};

/// References of all groups; `offsets`: of segments, on the host. With `rounded` it also keeps the
/// remainders and magnitudes that `check` needs. Throws as `references`.
GroupReferences group_references(const Elements& elements, Operation operation,
                                 const Groups& groups, std::span<const std::int64_t> offsets,
                                 bool rounded, unsigned threads);

/// Updates the reference of a group for the planted element at `index`.
void plant(GroupReferences& references, std::size_t group, const Recipe& recipe, Type type,
           std::uint64_t index);

}  // namespace ladder
