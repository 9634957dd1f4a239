#pragma once

#include <bit>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "common/half.hpp"
#include "common/operations.hpp"

namespace ladder::kokkos {

/// T as Kokkos has it: where it has no type of 16 bits, its half_t is a float, and T stays.
template <class T, class Own, class Other>
using Owned = std::conditional_t<std::is_same_v<T, Own> && sizeof(Other) == sizeof(Own), Other, T>;

/// Kokkos's own types of 16 bits in place of those that are only stored as such.
template <class T>
using Native =
    Owned<Owned<T, Half, Kokkos::Experimental::half_t>, Bfloat16, Kokkos::Experimental::bhalf_t>;

/// Minimum and maximum of Kokkos's types of 16 bits as IEEE 754-2019 has them. Its fmin and fmax
/// are instructions of GPUs; they pass over a NaN.
template <bool greater, class T>
struct Extreme {
  using value = T;
  KOKKOS_FUNCTION T operator()(T a, T b) const {
    const T chosen = greater ? Kokkos::fmax(a, b) : Kokkos::fmin(a, b);
    return Kokkos::isnan(a) ? a : Kokkos::isnan(b) ? b : chosen;
  }
};

/// The operation of a case on GPUs: the project's, but where Kokkos has instructions.
template <class Case, class A = Native<typename Case::accumulator>>
using Operator =
    std::conditional_t<std::is_same_v<A, typename Case::accumulator>, typename Case::function,
                       Extreme<Case::operation == Operation::max, A>>;

// Each source has its own, and with it its own kernels of the header, which are hidden.
namespace {

/// The operation's as A, which the compiler knows.
template <class Op, class A = typename Op::value>
struct Identity {
  KOKKOS_FUNCTION constexpr operator A() const { return std::bit_cast<A>(Op::identity()); }
};

}  // namespace
}  // namespace ladder::kokkos
