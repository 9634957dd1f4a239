#pragma once

// Workspace of the reduction: memory shared by the calls on one instance.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "ladder/version.hpp"

namespace ladder::kokkos::LADDER_VERSION {

namespace reduce_detail {

/// Partials of groups split over several teams. The ticket is zero before and after a launch.
struct Partials {
  unsigned* ticket;
  void* memory;  ///< aligned to 16 bytes
  std::size_t bytes;

  template <class A>
  A* as() const {
    return static_cast<A*>(memory);
  }
  template <class A>
  std::int64_t count() const {
    return static_cast<std::int64_t>(bytes / sizeof(A));
  }
};

template <class Space>
inline constexpr bool on_host = std::is_same_v<typename Space::memory_space, Kokkos::HostSpace>;

/// SMs of a GPU, or threads of a host.
template <class Space>
unsigned units_of(const Space& space) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>)
    return static_cast<unsigned>(space.cuda_device_prop().multiProcessorCount);
#endif
#ifdef KOKKOS_ENABLE_HIP
  if constexpr (std::is_same_v<Space, Kokkos::HIP>)
    return static_cast<unsigned>(space.hip_device_prop().multiProcessorCount);
#endif
  return static_cast<unsigned>(space.concurrency());
}

}  // namespace reduce_detail

/// Memory shared by the calls on one instance of a space, and the device's properties. Initialize
/// with `make_workspace`.
struct Workspace {
  std::uint64_t* words = nullptr;  ///< words[0]: on a GPU the number of the next call, never 0
  std::uint32_t count = 0;         ///< words after the first
  unsigned units = 0;              ///< SMs of a GPU, threads of a host
};

#pragma GCC visibility push(hidden)
/// Workspace size in 64-bit words. With fewer, at least 2048, large inputs use fewer teams.
template <class Space>
std::size_t workspace_words(const Space& space) {
  if constexpr (reduce_detail::on_host<Space>) {
    const std::size_t threads = reduce_detail::units_of(space);
    return 2 + 2 * threads < 2048 ? 2048 : 2 + 2 * threads;
  }
  return (std::size_t{1} << 16) + 1;
}

/// Initializes `workspace` on `space`, its only user at a time. The caller owns `memory`; it may
/// hold anything. Returns false if it has fewer than 2048 words, is not contiguous or is not
/// aligned to 16 bytes.
template <class Space, class... Properties>
[[nodiscard]] bool make_workspace(Workspace* workspace, const Space& space,
                                  const Kokkos::View<std::uint64_t*, Properties...>& memory) {
  using View = Kokkos::View<std::uint64_t*, Properties...>;
  static_assert(Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible,
                "a workspace is memory that the space can use");
  const std::size_t size = memory.size();
  if (workspace == nullptr || size < 2048 || !memory.span_is_contiguous() ||
      reinterpret_cast<std::uintptr_t>(memory.data()) % 16 != 0) {
    return false;
  }
  Kokkos::deep_copy(space, memory, std::uint64_t{0});
  if constexpr (!reduce_detail::on_host<Space>)
    Kokkos::deep_copy(space, Kokkos::subview(memory, 0), std::uint64_t{1});
  workspace->words = memory.data();
  workspace->count = static_cast<std::uint32_t>(size - 1 < 1U << 31 ? size - 1 : 1U << 31);
  workspace->units = reduce_detail::units_of(space);
  return true;
}
#pragma GCC visibility pop

}  // namespace ladder::kokkos::LADDER_VERSION
