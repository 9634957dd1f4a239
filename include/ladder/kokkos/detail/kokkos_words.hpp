#pragma once

// Partials as 64-bit words, with 4 payload bytes below the 32-bit number of the call; and tickets.

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/detail/kokkos_input.hpp"
#include "ladder/kokkos/detail/unrolled.hpp"
#include "ladder/kokkos/kokkos_workspace.hpp"
#include "ladder/version.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

template <class A>
inline constexpr unsigned pieces_of = (sizeof(A) + 3) / 4;

template <class A>
struct Pieces {
  unsigned at[pieces_of<A>];
};
template <class A>
KOKKOS_FUNCTION Pieces<A> cut(const A& value) {
  if constexpr (sizeof(A) == 1) {
    return {{std::bit_cast<std::uint8_t>(value)}};
  } else if constexpr (sizeof(A) == 2) {
    return {{std::bit_cast<std::uint16_t>(value)}};
  } else if constexpr (sizeof(A) % 4 == 0) {
    return std::bit_cast<Pieces<A>>(value);
  } else {
    Pieces<A> pieces{};
    memcpy(&pieces, &value, sizeof value);
    return pieces;
  }
}
template <class A>
KOKKOS_FUNCTION A joined(const Pieces<A>& pieces) {
  if constexpr (sizeof(A) == 1) {
    return std::bit_cast<A>(static_cast<std::uint8_t>(pieces.at[0]));
  } else if constexpr (sizeof(A) == 2) {
    return std::bit_cast<A>(static_cast<std::uint16_t>(pieces.at[0]));
  } else if constexpr (sizeof(A) % 4 == 0 && std::is_default_constructible_v<A>) {
    return std::bit_cast<A>(pieces);
  } else {
    Room<A> room;
    memcpy(static_cast<void*>(&room.value), &pieces, sizeof(A));
    return room.value;
  }
}

/// Eight-byte accesses that bypass registers. Kokkos 5.0 implements atomic_load and atomic_store as
/// compare-exchange loops, which contend at one word.
KOKKOS_INLINE_FUNCTION std::uint64_t get(const std::uint64_t* word) {
  return *static_cast<const volatile std::uint64_t*>(word);
}
KOKKOS_INLINE_FUNCTION void put(std::uint64_t* word, std::uint64_t value) {
  *static_cast<volatile std::uint64_t*>(word) = value;
}

/// Returns the number of earlier draws. Writes of this thread are visible to later drawers, and to
/// their teams after a barrier. Kokkos's atomics are relaxed; hence the two fences.
KOKKOS_INLINE_FUNCTION unsigned draw(unsigned* ticket) {
  Kokkos::memory_fence();
  const unsigned drawn = Kokkos::atomic_fetch_add(ticket, 1U);
  Kokkos::memory_fence();
  return drawn;
}

template <class A>
KOKKOS_FUNCTION void leave(const Workspace& workspace, unsigned team, const A& partial,
                           unsigned call) {
  const auto pieces = reduce_detail::cut(partial);
  LADDER_REDUCE_UNROLLED
  for (unsigned p = 0; p < pieces_of<A>; ++p)
    put(workspace.words + 1 + team * pieces_of<A> + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

/// Snapshot of a team's words.
template <class A>
struct Seen {
  std::uint64_t at[pieces_of<A>];
};
template <class A>
KOKKOS_FUNCTION Seen<A> look(const Workspace& workspace, unsigned team) {
  Seen<A> seen;
  LADDER_REDUCE_UNROLLED
  for (unsigned p = 0; p < pieces_of<A>; ++p)
    seen.at[p] = get(workspace.words + 1 + team * pieces_of<A> + p);
  return seen;
}
/// True if all words belong to this call; then `pieces` is the partial.
template <class A>
KOKKOS_FUNCTION bool taken(const Seen<A>& seen, unsigned call, Pieces<A>& pieces) {
  bool here = true;
  LADDER_REDUCE_UNROLLED
  for (unsigned p = 0; p < pieces_of<A>; ++p) {
    pieces.at[p] = static_cast<unsigned>(seen.at[p]);
    here &= seen.at[p] >> 32 == call;
  }
  return here;
}

/// Adds the partials of teams `first`, `first + block`, ... below `last` to `mine`, each once it
/// has arrived. Up to four are in flight, to overlap their latencies: all reads are issued before
/// the first is used, and surplus reads repeat the last team's word.
template <class A, class Op>
KOKKOS_FUNCTION void collect(const Workspace& workspace, unsigned first, unsigned block,
                             unsigned last, unsigned call, A& mine, const Op& op) {
  constexpr unsigned at_once = pieces_of<A> < 4 ? 4 / pieces_of<A> : 1;
  for (unsigned b = first; b < last; b += at_once * block) {
    Pieces<A> pieces[at_once];
    bool here;
    do {
      Seen<A> seen[at_once];
      LADDER_REDUCE_UNROLLED
      for (unsigned k = 0; k < at_once; ++k) {
        const unsigned other = b + k * block;
        seen[k] = look<A>(workspace, other < last ? other : last - 1);
      }
      here = true;
      LADDER_REDUCE_UNROLLED
      for (unsigned k = 0; k < at_once; ++k) here &= reduce_detail::taken(seen[k], call, pieces[k]);
    } while (!here);
    LADDER_REDUCE_UNROLLED
    for (unsigned k = 0; k < at_once; ++k) {
      if (b + k * block < last) mine = op(mine, reduce_detail::joined<A>(pieces[k]));
    }
  }
}

/// Clears the words after the last 32-bit call number, because a stale word would match a reused
/// number. All threads of the collecting team must call it.
template <class Team>
KOKKOS_FUNCTION void forget(const Team& team, const Workspace& workspace) {
  Kokkos::parallel_for(Kokkos::TeamVectorRange(team, workspace.count + 1),
                       [&](unsigned w) { workspace.words[w] = w == 0 ? 1 : 0; });
}

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
