#pragma once

// The kernel of hosts.

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

/// Teams for so many bytes, `room` at most: one a thread, or, where that would be a large share, so
/// many that a thread which reads faster than others can take more of them.
inline std::size_t teams_on_host(std::size_t bytes, std::size_t threads, std::size_t room) {
  constexpr std::size_t least_bytes = 256 << 10, least = 8, most = 128;
  const std::size_t each = std::min({bytes / threads / least_bytes, room / threads, most});
  return each < least ? std::min(threads, room) : threads * each;
}

/// For hosts: one team of one thread a share. Its parts are read side by side, in rows of 32
/// chains, which fill two to four vectors.
template <class In, class Count, class A, class Op, class Identity>
struct InShares {
  static constexpr int chains = 32;
  /// Bytes of a share that the caches of a core have sooner than a prefetch, and how far ahead one
  /// is.
  static constexpr std::size_t in_cache = 128 << 10, ahead = 2048;
  In x;
  Count count;
  A* partial;        ///< for each team
  unsigned* ticket;  ///< 0 before and afterwards
  A* result;
  Op op;
  Identity identity;

  /// The elements that a step takes, a little later: the more instructions a step is, the fewer
  /// loads a processor sees in advance by itself. Kokkos has no word for it.
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

  /// All parts, from `begin` on.
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
    const Index n = count(), teams = team.league_size(), me = team.league_rank();
    const Index begin = n / teams * me + (me < n % teams ? me : n % teams);
    const Index length = n / teams + (me < n % teams ? 1 : 0);
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
    if (draw(ticket) + 1 != teams) return;
    mine = partial[0];
    for (Index t = 1; t < teams; ++t) mine = op(mine, partial[t]);
    *result = mine;
    *ticket = 0;
  }
};

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
