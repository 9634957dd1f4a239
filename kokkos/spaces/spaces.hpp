#pragma once

// The execution spaces of this build; each is a backend at run time.

#include <tuple>
#include <type_traits>
#include <variant>

#include <Kokkos_Core.hpp>

namespace ladder::kokkos {

namespace detail {

template <class... Space>
std::variant<Space...> any_of(std::tuple<Space...>);

// Requested in kokkos/CMakeLists.txt; Kokkos may have more.
using Asked = decltype(std::tuple_cat(std::tuple<>{}
#if LADDER_KOKKOS_CUDA
                                      ,
                                      std::tuple<Kokkos::Cuda>{}
#endif
#if LADDER_KOKKOS_HIP
                                      ,
                                      std::tuple<Kokkos::HIP>{}
#endif
#if LADDER_KOKKOS_OPENMP
                                      ,
                                      std::tuple<Kokkos::OpenMP>{}
#endif
#if LADDER_KOKKOS_SERIAL
                                      ,
                                      std::tuple<Kokkos::Serial>{}
#endif
                                      ));

}  // namespace detail

/// An instance of one of them.
using AnySpace = decltype(detail::any_of(detail::Asked{}));

/// True if the space's code runs on the host.
template <class Space>
inline constexpr bool on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible;

namespace detail {
template <class... Space>
constexpr bool any_on_host(std::type_identity<std::variant<Space...>>) {
  return (on_host<Space> || ...);
}
template <class... Space>
constexpr bool all_on_host(std::type_identity<std::variant<Space...>>) {
  return (on_host<Space> && ...);
}
}  // namespace detail

/// Kinds of spaces in this build.
inline constexpr bool any_on_host = detail::any_on_host(std::type_identity<AnySpace>{});
inline constexpr bool any_on_gpu = !detail::all_on_host(std::type_identity<AnySpace>{});

}  // namespace ladder::kokkos
