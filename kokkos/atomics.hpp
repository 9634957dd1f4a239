#pragma once

// Atomic updates of one accumulator, and the ticket by which a team learns that it is the last.

#include <bit>
#include <cstdint>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "common/operations.hpp"

namespace ladder::kokkos {
namespace detail {

template <class A>
using Word = std::conditional_t<sizeof(A) == 4, std::uint32_t, std::uint64_t>;

/// The loop for what Kokkos has no function for: its atomic_min and atomic_max of floating types
/// know neither NaN nor the sign of a zero. It stops as soon as the update would change nothing.
template <class Op, class A>
KOKKOS_FUNCTION void update_by_swapping(A* address, A value) {
  auto* const word = reinterpret_cast<Word<A>*>(address);
  Word<A> seen = Kokkos::atomic_load(word);
  while (true) {
    const auto wanted = std::bit_cast<Word<A>>(Op{}(std::bit_cast<A>(seen), value));
    if (wanted == seen) return;
    const Word<A> found = Kokkos::atomic_compare_exchange(word, seen, wanted);
    if (found == seen) return;
    seen = found;
  }
}

}  // namespace detail

/// *address = Op{}(*address, value), atomic on the whole device, unordered. Sums and the min and
/// max of integers by Kokkos's own functions; the rest are compare-and-swap loops.
template <class Op, class A>
KOKKOS_FUNCTION void atomic_update(A* address, A value) {
  if constexpr (Op::kind == Operation::sum && std::is_integral_v<A>) {
    Kokkos::atomic_add(reinterpret_cast<detail::Word<A>*>(address),
                       static_cast<detail::Word<A>>(value));
  } else if constexpr (Op::kind == Operation::sum) {
    Kokkos::atomic_add(address, value);
  } else if constexpr (Op::kind == Operation::min && std::is_integral_v<A>) {
    Kokkos::atomic_min(address, value);
  } else if constexpr (Op::kind == Operation::max && std::is_integral_v<A>) {
    Kokkos::atomic_max(address, value);
  } else {
    detail::update_by_swapping<Op>(address, value);
  }
}

/// How many teams have drawn before, `*ticket` having been zero. What the calling thread wrote
/// before is seen by whoever draws later, and by its whole team once that has met at a barrier.
/// Kokkos's atomics take no memory order and are relaxed, so there is a full fence on either side.
KOKKOS_INLINE_FUNCTION unsigned draw(unsigned* ticket) {
  Kokkos::memory_fence();
  const unsigned drawn = Kokkos::atomic_fetch_add(ticket, 1U);
  Kokkos::memory_fence();
  return drawn;
}

/// What a result is before the first atomic update.
template <class A>
struct Set {
  A* result;
  A value;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    if (team.team_rank() == 0) *result = value;
  }
};

}  // namespace ladder::kokkos
