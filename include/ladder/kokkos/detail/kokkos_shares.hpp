#pragma once

// Reduction kernel for hosts.

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "ladder/kokkos/detail/chains.hpp"
#include "ladder/kokkos/detail/kokkos_input.hpp"
#include "ladder/kokkos/detail/kokkos_words.hpp"
#include "ladder/version.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

/// Teams for `bytes` bytes, at most `room`: one per thread, or more for large shares, so that
/// faster threads can take more of them.
inline std::size_t teams_on_host(std::size_t bytes, std::size_t threads, std::size_t room) {
  constexpr std::size_t least_bytes = 256 << 10, least = 8, most = 128;
  const std::size_t each = std::min({bytes / threads / least_bytes, room / threads, most});
  return each < least ? std::min(threads, room) : threads * each;
}

/// Items [begin, end) of `count` for team `me` of `teams`.
struct Share {
  Index begin, end;
};
KOKKOS_INLINE_FUNCTION Share share_of(Index count, Index me, Index teams) {
  const Index each = count / teams, rest = count % teams;
  const Index begin = me * each + (me < rest ? me : rest);
  return {begin, begin + each + (me < rest ? 1 : 0)};
}

/// True if the calling single-threaded team is the last to call it; resets the ticket.
template <class Team>
KOKKOS_FUNCTION bool is_last(const Team& team, unsigned* ticket) {
  if (draw(ticket) != static_cast<unsigned>(team.league_size()) - 1) return false;
  *ticket = 0;
  return true;
}

/// Host kernel: one single-threaded team per share. The parts of a share are read concurrently, in
/// rows of 32 chains, which fill two to four vectors.
template <class In, class Count, class A, class Op, class Identity>
struct InShares {
  static constexpr int chains = 32;
  /// in_cache: share size in bytes that a core's caches hold without prefetch. ahead: prefetch
  /// distance.
  static constexpr std::size_t in_cache = 128 << 10, ahead = 2048;
  In x;
  Count count;
  A* partial;        ///< one per team
  unsigned* ticket;  ///< 0 before and after
  A* result;
  Op op;
  Identity identity;

  /// Prefetches the elements of a later step: large steps limit the processor's own lookahead.
  /// Kokkos has no prefetch.
  KOKKOS_FUNCTION void prefetch([[maybe_unused]] Index i) const {
#if defined(__GNUC__) || defined(__clang__)
    if constexpr (std::is_pointer_v<In>) {
      KOKKOS_IF_ON_HOST(({
        const auto* const at = reinterpret_cast<const char*>(x + i) + ahead;
        for (std::size_t line = 0; line < chains * sizeof(*x); line += 64)
          __builtin_prefetch(at + line);
      }))
    }
#endif
  }

  using By = Chains<Op, A, chains>;

  /// Processes all parts from `begin` on.
  template <bool prefetches>
  KOKKOS_FUNCTION void walk(Index begin, Index part, By& by) const {
    for (Index i = 0; i < part; i += chains) {
      for (int p = 0; p < parts; ++p) {
        if constexpr (prefetches) prefetch(begin + i + p * part);
        for (int c = 0; c < chains; ++c)
          by.take(op, p, c, static_cast<A>(x[begin + i + p * part + c]));
      }
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index teams = team.league_size(), me = team.league_rank();
    const auto [begin, end] = share_of(count(), me, teams);
    const Index length = end - begin;
    const Index part = length / parts / chains * chains;

    By by{static_cast<A>(identity)};
    if (static_cast<std::size_t>(length) * sizeof(x[0]) > in_cache) {
      walk<true>(begin, part, by);
    } else {
      walk<false>(begin, part, by);
    }
    A mine = by.all(op, identity);
    for (Index i = parts * part; i < length; ++i) mine = op(mine, static_cast<A>(x[begin + i]));

    partial[me] = mine;
    if (!is_last(team, ticket)) return;
    mine = partial[0];
    for (Index t = 1; t < teams; ++t) mine = op(mine, partial[t]);
    *result = mine;
  }
};

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
