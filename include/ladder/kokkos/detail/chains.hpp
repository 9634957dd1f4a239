#pragma once

// Independent accumulator chains for a host thread's share.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "ladder/kokkos/detail/kokkos_input.hpp"
#include "ladder/kokkos/kokkos_operations.hpp"
#include "ladder/version.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Number of parts of a share that are read concurrently: a hardware prefetcher stops at a page.
inline constexpr int parts = 4;

/// Storage for a value that is assigned before it is read. A struct if A needs no constructor: GCC
/// 12 does not vectorize arrays of unions.
template <class A>
struct Plain {
  A value;
};
template <class A>
using Cell = std::conditional_t<std::is_trivially_default_constructible_v<A>, Plain<A>, Room<A>>;

/// Chains for any operation; each part has its own.
template <class Op, class A, std::size_t chains>
class Chains {
 public:
  KOKKOS_FUNCTION explicit Chains(const A& identity) {
    for (auto& row : values_) {
      for (auto& room : row) room.value = identity;
    }
  }
  KOKKOS_FUNCTION void take(const Op& op, int part, int chain, const A& a) {
    A& value = values_[part][chain].value;
    value = op(value, a);
  }
  KOKKOS_FUNCTION A all(const Op& op, const A& identity) {
    for (int p = 1; p < parts; ++p) {
      for (std::size_t c = 0; c < chains; ++c)
        values_[0][c].value = op(values_[0][c].value, values_[p][c].value);
    }
    A all = identity;
    for (const auto& room : values_[0]) all = op(all, room.value);
    return all;
  }

 private:
  Cell<A> values_[parts][chains];
};

/// Minimum or maximum of floating-point numbers from integer extremes of their bits; all parts
/// share the chains. Positive numbers order like their bits. Negative ones order in reverse and, as
/// unsigned integers, exceed all positive ones. Minimum: the largest unsigned bits if any sign bit
/// is set, else the smallest bits. Maximum: the largest signed bits if any sign bit is clear, else
/// the smallest unsigned bits. A NaN lies beyond the infinity of its sign. This takes three
/// instructions per vector; testing for NaN and zeros takes nine.
template <bool greater, class A, std::size_t chains>
class ChainsOfBits {
  static_assert(!finite_math,
                "built without NaN and infinities: leave out -ffast-math and -ffinite-math-only");
  using Signed = std::conditional_t<sizeof(A) == 4, std::int32_t, std::int64_t>;
  using Unsigned = std::make_unsigned_t<Signed>;
  using Other = std::conditional_t<greater, Unsigned, Signed>;

 public:
  KOKKOS_FUNCTION explicit ChainsOfBits(const A& identity) {
    for (std::size_t c = 0; c < chains; ++c) {
      most_[c] = std::bit_cast<Signed>(identity);
      most_unsigned_[c] = std::bit_cast<Unsigned>(identity);
      least_[c] = std::bit_cast<Other>(identity);
    }
  }
  template <class Op>
  KOKKOS_FUNCTION void take(const Op&, int, std::ptrdiff_t chain, const A& a) {
    most_[chain] = most(most_[chain], std::bit_cast<Signed>(a));
    most_unsigned_[chain] = most(most_unsigned_[chain], std::bit_cast<Unsigned>(a));
    least_[chain] = least(least_[chain], std::bit_cast<Other>(a));
  }
  template <class Op>
  KOKKOS_FUNCTION A all(const Op&, const A&) {
    Signed top = most_[0];
    Unsigned top_unsigned = most_unsigned_[0];
    Other bottom = least_[0];
    for (std::size_t c = 1; c < chains; ++c) {
      top = most(top, most_[c]);
      top_unsigned = most(top_unsigned, most_unsigned_[c]);
      bottom = least(bottom, least_[c]);
    }
    return extreme(top, top_unsigned, bottom);
  }
  /// Result of one chain.
  KOKKOS_FUNCTION A one(std::ptrdiff_t c) const {
    return extreme(most_[c], most_unsigned_[c], least_[c]);
  }

 private:
  static KOKKOS_FUNCTION A extreme(Signed top, Unsigned top_unsigned, Other bottom) {
    constexpr A infinity = std::numeric_limits<A>::infinity();
    if (top > std::bit_cast<Signed>(infinity) || top_unsigned > std::bit_cast<Unsigned>(-infinity))
      return std::numeric_limits<A>::quiet_NaN();
    if constexpr (greater) return top >= 0 ? std::bit_cast<A>(top) : std::bit_cast<A>(bottom);
    const bool any_sign = static_cast<Signed>(top_unsigned) < 0;
    return any_sign ? std::bit_cast<A>(top_unsigned) : std::bit_cast<A>(bottom);
  }
  template <class T>
  static KOKKOS_FUNCTION T most(T a, T b) {
    return a < b ? b : a;
  }
  template <class T>
  static KOKKOS_FUNCTION T least(T a, T b) {
    return b < a ? b : a;
  }

  Signed most_[chains];
  Unsigned most_unsigned_[chains];
  /// Unsigned for maxima: the smallest bits then belong to a negative number only if all are
  /// negative.
  Other least_[chains];
};

/// IEEE 754 floating-point types of 4 or 8 bytes.
template <class A>
concept HasBits = std::is_floating_point_v<A> && std::numeric_limits<A>::is_iec559 &&
    (sizeof(A) == 4 || sizeof(A) == 8);

template <HasBits A, std::size_t chains>
class Chains<Minimum, A, chains> : public ChainsOfBits<false, A, chains> {
  using ChainsOfBits<false, A, chains>::ChainsOfBits;
};
template <HasBits A, std::size_t chains>
class Chains<Maximum, A, chains> : public ChainsOfBits<true, A, chains> {
  using ChainsOfBits<true, A, chains>::ChainsOfBits;
};

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
