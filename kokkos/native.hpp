#pragma once

#include <bit>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "common/half.hpp"
#include "common/operations.hpp"

namespace ladder::kokkos {

/// Kokkos's type for T; T itself where Kokkos's half_t is a float.
template <class T, class Own, class Other>
using Owned = std::conditional_t<std::is_same_v<T, Own> && sizeof(Other) == sizeof(Own), Other, T>;

/// Kokkos's 16-bit types instead of storage-only ones.
template <class T>
using Native =
    Owned<Owned<T, Half, Kokkos::Experimental::half_t>, Bfloat16, Kokkos::Experimental::bhalf_t>;

/// IEEE 754-2019 minimum and maximum of Kokkos's 16-bit types. On GPUs Kokkos's fmin and fmax are
/// instructions, but ignore NaN.
template <bool greater, class T>
struct Extreme {
  using value = T;
  KOKKOS_FUNCTION T operator()(T a, T b) const {
    const T chosen = greater ? Kokkos::fmax(a, b) : Kokkos::fmin(a, b);
    return Kokkos::isnan(a) ? a : Kokkos::isnan(b) ? b : chosen;
  }
};

/// Operation of a case on GPUs: the project's, except where Kokkos has instructions.
template <class Case, class A = Native<typename Case::accumulator>>
using Operator =
    std::conditional_t<std::is_same_v<A, typename Case::accumulator>, typename Case::function,
                       Extreme<Case::operation == Operation::max, A>>;

// Internal linkage: each source instantiates its own, hidden kernels of the header.
namespace {

/// Identity element as an A, known at compile time.
template <class Op, class A = typename Op::value>
struct Identity {
  KOKKOS_FUNCTION constexpr operator A() const { return std::bit_cast<A>(Op::identity()); }
};

}  // namespace
}  // namespace ladder::kokkos
