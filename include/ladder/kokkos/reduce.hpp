#pragma once

// A reduction in Kokkos, to be called on any execution space: one launch on the caller's instance,
// no allocation, no fence. C++20, Kokkos 5, nothing else. docs/calling.md has examples.
//
//   Kokkos::View<std::uint64_t*, Space> memory("workspace",
//   ladder::kokkos::workspace_words(space)); ladder::kokkos::Workspace workspace; // once per
//   instance ladder::kokkos::make_workspace(&workspace, space, memory);
//
//   ladder::kokkos::reduce(space, workspace, x, result, ladder::kokkos::Sum{}, 0.0f);
//
// How it works: on a GPU each team leaves its partial and the number of the call in one word of the
// workspace, and the last team waits for the words of the others, as in ladder/cuda/reduce.hpp. On
// a host each thread takes one contiguous share, and who is the last to end adds the partials.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include <Kokkos_Core.hpp>

namespace ladder::kokkos {

// Operations. Any other function object that can be called in a kernel with two accumulators will
// do, if it is associative and commutative.

struct Sum {
  template <class A>
  KOKKOS_FUNCTION constexpr A operator()(const A& a, const A& b) const {
    if constexpr (std::is_integral_v<A>) {  // wraps
      using Unsigned = std::make_unsigned_t<A>;
      return static_cast<A>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
};

namespace reduce_detail {

/// IEEE 754-2019: a NaN wins, and -0 is below +0.
template <bool greater, class A>
KOKKOS_FUNCTION constexpr A extreme(A a, A b) {
  if constexpr (std::is_floating_point_v<A>) {
    if (a != a || b != b) return a + b;
    if (a == b) return greater == (1 / a < 1 / b) ? b : a;
  }
  return greater == (a < b) ? b : a;
}

}  // namespace reduce_detail

struct Minimum {
  template <class A>
  KOKKOS_FUNCTION constexpr A operator()(A a, A b) const {
    return reduce_detail::extreme<false>(a, b);
  }
};
struct Maximum {
  template <class A>
  KOKKOS_FUNCTION constexpr A operator()(A a, A b) const {
    return reduce_detail::extreme<true>(a, b);
  }
};

namespace reduce_detail {

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

// The workspace.

/// Memory that the calls on one instance of a space share, and what the launches have to know of
/// the device. To be made by `make_workspace`.
struct Workspace {
  std::uint64_t* words = nullptr;  ///< on a GPU the first has the number of the next call: never 0
  std::uint32_t count = 0;         ///< of words behind that one
  unsigned units = 0;              ///< SMs of a GPU, threads of a host
};

/// Words of a workspace at best. With fewer, down to 2048, large inputs are reduced by fewer teams.
template <class Space>
std::size_t workspace_words(const Space& space) {
  if constexpr (reduce_detail::on_host<Space>) {
    const std::size_t threads = reduce_detail::units_of(space);
    return 2 + 2 * threads < 2048 ? 2048 : 2 + 2 * threads;
  }
  return (std::size_t{1} << 16) + 1;
}

/// Makes a workspace of `memory`, whatever is in it, on the instance `space`; false for fewer than
/// 2048 words. The memory stays the caller's. It serves one instance at a time.
template <class Space, class... Properties>
[[nodiscard]] bool make_workspace(Workspace* workspace, const Space& space,
                                  const Kokkos::View<std::uint64_t*, Properties...>& memory) {
  using View = Kokkos::View<std::uint64_t*, Properties...>;
  static_assert(Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible,
                "a workspace is memory that the space can use");
  const std::size_t size = memory.size();
  if (workspace == nullptr || size < 2048 || !memory.span_is_contiguous()) return false;
  Kokkos::deep_copy(space, memory, std::uint64_t{0});
  if constexpr (!reduce_detail::on_host<Space>)
    Kokkos::deep_copy(space, Kokkos::subview(memory, 0), std::uint64_t{1});
  workspace->words = memory.data();
  workspace->count = static_cast<std::uint32_t>(size - 1 < 1U << 31 ? size - 1 : 1U << 31);
  workspace->units = reduce_detail::units_of(space);
  return true;
}

namespace reduce_detail {

using Index = std::int64_t;

/// Vector lanes of a thread of a team on a GPU: a warp, or half a wavefront.
inline constexpr unsigned lanes = 32;

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define LADDER_REDUCE_UNROLLED _Pragma("unroll")
#else
#define LADDER_REDUCE_UNROLLED
#endif

// Partials in words: four bytes each, and above them the number of the call.

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
  } else if constexpr (sizeof(A) % 4 == 0) {
    return std::bit_cast<A>(pieces);
  } else {
    A value;
    memcpy(&value, &pieces, sizeof value);
    return value;
  }
}

/// One access of eight bytes that is not kept in a register. Kokkos's own atomic_load and
/// atomic_store are loops around a compare and exchange in 5.0, and stand in line at one word.
KOKKOS_INLINE_FUNCTION std::uint64_t get(const std::uint64_t* word) {
  return *static_cast<const volatile std::uint64_t*>(word);
}
KOKKOS_INLINE_FUNCTION void put(std::uint64_t* word, std::uint64_t value) {
  *static_cast<volatile std::uint64_t*>(word) = value;
}

template <class A>
KOKKOS_FUNCTION void leave(const Workspace& workspace, unsigned team, const A& partial,
                           unsigned call) {
  const auto pieces = cut(partial);
  LADDER_REDUCE_UNROLLED
  for (unsigned p = 0; p < pieces_of<A>; ++p)
    put(workspace.words + 1 + team * pieces_of<A> + p, std::uint64_t{call} << 32 | pieces.at[p]);
}

/// The words of a team, as they are now.
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
/// Whether they are of this call; then `pieces` is the partial.
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

/// Adds to `mine` the partials of `first` and of every `block`th team behind it below `last`, each
/// as soon as it is there. Up to four are under way at once, since each answer takes its time: all
/// are asked for before the first is looked at, the last team's again where there are fewer.
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
      for (unsigned k = 0; k < at_once; ++k) here &= taken(seen[k], call, pieces[k]);
    } while (!here);
    LADDER_REDUCE_UNROLLED
    for (unsigned k = 0; k < at_once; ++k) {
      if (b + k * block < last) mine = op(mine, joined<A>(pieces[k]));
    }
  }
}

/// The next call has the next number: by all threads of the team that has collected. After the last
/// number that a word has room for, the words forget: one that was left so long ago would be taken
/// for the next call's.
template <class Team>
KOKKOS_FUNCTION void finish(const Team& team, const Workspace& workspace, unsigned call) {
  if (call != ~0U) {
    Kokkos::single(Kokkos::PerTeam(team), [&] { put(workspace.words, std::uint64_t{call} + 1); });
  } else {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, workspace.count + 1),
                         [&](unsigned w) { workspace.words[w] = w == 0 ? 1 : 0; });
  }
}

// The tree.

/// An operation as Kokkos's nested reductions take it (concept: reducer).
template <class A, class Op, class Identity>
class Into {
 public:
  using reducer = Into;
  using value_type = A;
  using result_view_type =
      Kokkos::View<A, Kokkos::AnonymousSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  KOKKOS_FUNCTION Into(A& result, const Op& op, const Identity& identity)
      : result_(&result), op_(op), identity_(identity) {}
  KOKKOS_FUNCTION void join(A& mine, const A& other) const { mine = op_(mine, other); }
  KOKKOS_FUNCTION void init(A& mine) const { mine = identity_; }
  KOKKOS_FUNCTION A& reference() const { return *result_; }
  KOKKOS_FUNCTION result_view_type view() const { return result_view_type(result_); }
  KOKKOS_FUNCTION static constexpr bool references_scalar() { return true; }

 private:
  A* result_;
  Op op_;
  Identity identity_;
};

/// Combines one value of each lane of the team, which has as many threads as there are warps; the
/// first thread gets the result. `tile` is shared memory for one value of each warp.
template <class A, class Op, class Identity, class Team, class Leaf>
KOKKOS_FUNCTION A reduce_ranks(const Team& team, unsigned warps, A* tile, const Op& op,
                               const Identity& identity, const Leaf& leaf) {
  const auto warp = static_cast<unsigned>(team.team_rank());
  A mine = identity;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, lanes),
      [&](unsigned lane, A& some) { leaf(warp * lanes + lane, some); },
      Into<A, Op, Identity>(mine, op, identity));
  if (warps == 1) return mine;
  Kokkos::single(Kokkos::PerThread(team), [&] { tile[warp] = mine; });
  team.team_barrier();
  if (warp > 0) return mine;
  Kokkos::parallel_reduce(
      Kokkos::ThreadVectorRange(team, warps),
      [&](unsigned w, A& some) { some = op(some, tile[w]); },
      Into<A, Op, Identity>(mine, op, identity));
  return mine;
}

// The input.

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
using Four = uint4;
using Two = ulonglong2;
#else
struct alignas(16) Four {
  std::uint32_t at[4];
};
struct alignas(16) Two {
  std::uint64_t at[2];
};
#endif

/// Sixteen bytes of elements behind a pointer, one load; else an element.
template <class In>
struct Access {
  using element = std::remove_cvref_t<decltype(std::declval<In>()[Index{}])>;
  static constexpr unsigned width = 1;
};
template <class T>
requires(std::is_trivially_copyable_v<T> && sizeof(T) < 16 &&
         16 % sizeof(T) == 0) struct Access<T*> {
  using element = std::remove_cv_t<T>;
  using Vector = std::conditional_t<sizeof(T) <= 4, Four, Two>;
  static constexpr unsigned width = 16 / sizeof(T);
};

template <class A, unsigned first, unsigned count, class T, class Op>
KOKKOS_FUNCTION A fold(const T* at, const Op& op) {
  if constexpr (count == 1) {
    return static_cast<A>(at[first]);
  } else {
    return op(fold<A, first, count / 2>(at, op), fold<A, first + count / 2, count / 2>(at, op));
  }
}

/// The elements of the `i`th vector of `x`, or the `i`th element, as it is loaded.
template <class In>
KOKKOS_FUNCTION auto load(const In& x, Index i) {
  if constexpr (Access<In>::width == 1) {
    return x[i];
  } else {
    return reinterpret_cast<const typename Access<In>::Vector*>(x)[i];
  }
}
template <class In, class A, class Loaded, class Op>
KOKKOS_FUNCTION A value_of(const Loaded& loaded, const Op& op) {
  if constexpr (Access<In>::width == 1) {
    return static_cast<A>(loaded);
  } else {
    struct Elements {
      typename Access<In>::element at[Access<In>::width];
    };
    const auto [at] = std::bit_cast<Elements>(loaded);
    return fold<A, 0, Access<In>::width>(at, op);
  }
}

/// An array cut where vectors can be loaded: elements [0, head) lie before the first 16-byte
/// boundary, `vectors` whole vectors follow, and elements [tail, n) are left.
struct Split {
  Index head, vectors, tail;
};
template <class In>
KOKKOS_FUNCTION Split split(const In& x, Index n) {
  constexpr unsigned width = Access<In>::width;
  if constexpr (width == 1) {
    return {0, n, n};
  } else {
    const unsigned past =
        reinterpret_cast<std::uintptr_t>(x) % 16 / sizeof(typename Access<In>::element);
    const Index until = (width - past) % width;
    const Index head = until < n ? until : n;
    const Index vectors = (n - head) / width;
    return {head, vectors, head + vectors * width};
  }
}

struct Given {
  Index n;
  KOKKOS_FUNCTION Index operator()() const { return n; }
};
struct Stored {
  const std::size_t* n;
  KOKKOS_FUNCTION Index operator()() const { return static_cast<Index>(*n); }
};

// The kernels.

/// A number of threads that the compiler knows.
template <unsigned threads>
struct Threads {
  static constexpr unsigned known = threads;
  KOKKOS_FUNCTION constexpr operator unsigned() const { return threads; }
};

/// For GPUs: a thread of the team is its rank and walks no range, since what a portable loop costs
/// is what is left out here.
template <class In, class Count, class A, class Op, class Identity, unsigned threads,
          unsigned vectors>
struct ByRanks {
  static constexpr unsigned vector_length = lanes;
  In x;
  Count count;
  Workspace workspace;
  Threads<threads> block;
  A* result;
  Op op;
  Identity identity;

  /// The share of a leaf: tiles of `vectors` loads, a league apart, all under way before the first
  /// is used; beyond the end the last one again, since each load under a condition would wait.
  template <class Team>
  KOKKOS_FUNCTION void walk(const Team& team, const In& v, Index until, unsigned leaf,
                            A& mine) const {
    const Index tile = Index{block} * vectors, stride = tile * team.league_size();
    for (Index begin = tile * team.league_rank(); begin < until; begin += stride) {
      const Index i = begin + leaf;
      decltype(load(v, i)) loaded[vectors];
      if (begin + tile <= until) {
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < vectors; ++k) loaded[k] = load(v, i + k * block);
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < vectors; ++k) mine = op(mine, value_of<In, A>(loaded[k], op));
      } else {
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < vectors; ++k) {
          const Index there = i + k * block;
          loaded[k] = load(v, there < until ? there : until - 1);
        }
        LADDER_REDUCE_UNROLLED
        for (unsigned k = 0; k < vectors; ++k) {
          if (i + k * block < until) mine = op(mine, value_of<In, A>(loaded[k], op));
        }
      }
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    A* const tile =
        static_cast<A*>(team.team_scratch(0).get_shmem(static_cast<int>(scratch_bytes())));
    const auto me = static_cast<unsigned>(team.league_rank());
    const auto last = static_cast<unsigned>(team.league_size()) - 1;
    // By few threads, since it is one word for all, and before the input; nothing is made of it
    // until the input is there, or that would wait.
    unsigned call = 0;
    if (last != 0 && (team.team_rank() == 0 || me == last))
      call = static_cast<unsigned>(get(workspace.words));
    const Index n = count();
    const Split at = split(x, n);
    const In v = from(at.head);

    const A all =
        reduce_ranks(team, block / lanes, tile, op, identity, [&](unsigned leaf, A& mine) {
          walk(team, v, at.vectors, leaf, mine);
          if constexpr (Access<In>::width > 1) {
            if (me != last) return;
            if (leaf < at.head) mine = op(mine, static_cast<A>(x[leaf]));
            if (leaf < n - at.tail) mine = op(mine, static_cast<A>(x[at.tail + leaf]));
          }
        });
    if (last == 0) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { *result = all; });
      return;
    }
    if (me != last) {
      Kokkos::single(Kokkos::PerTeam(team), [&] { leave(workspace, me, all, call); });
      return;
    }

    team.team_barrier();
    const A others = reduce_ranks(
        team, block / lanes, tile, op, identity,
        [&](unsigned leaf, A& mine) { collect(workspace, leaf, block, last, call, mine, op); });
    Kokkos::single(Kokkos::PerTeam(team), [&] { *result = op(all, others); });
    finish(team, workspace, call);
  }

  /// Shared memory: a value of each warp, and what is left of a word of four bytes.
  static constexpr std::size_t scratch_bytes() { return (threads / lanes * sizeof(A) + 3) / 4 * 4; }

 private:
  KOKKOS_FUNCTION In from(Index head) const {
    if constexpr (Access<In>::width == 1) {
      return x;
    } else {
      return x + head;
    }
  }
};

/// For hosts: one team of one thread a share. Four parts of it are read side by side, since a
/// hardware prefetcher ends with a page, and each in 32 chains, which fill two to four vectors.
template <class In, class Count, class A, class Op, class Identity>
struct InShares {
  static constexpr int parts = 4, chains = 32;
  In x;
  Count count;
  A* partial;        ///< for each team
  unsigned* ticket;  ///< 0 before and afterwards
  A* result;
  Op op;
  Identity identity;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Index n = count(), teams = team.league_size(), me = team.league_rank();
    const Index begin = n / teams * me + (me < n % teams ? me : n % teams);
    const Index length = n / teams + (me < n % teams ? 1 : 0);
    const Index part = length / parts / chains * chains;

    A chain[parts][chains];
    for (auto& row : chain) {
      for (A& value : row) value = identity;
    }
    for (Index i = 0; i < part; i += chains) {
      for (int p = 0; p < parts; ++p) {
        for (int c = 0; c < chains; ++c)
          chain[p][c] = op(chain[p][c], static_cast<A>(x[begin + i + p * part + c]));
      }
    }
    for (int p = 1; p < parts; ++p) {
      for (int c = 0; c < chains; ++c) chain[0][c] = op(chain[0][c], chain[p][c]);
    }
    A mine = identity;
    for (const A& value : chain[0]) mine = op(mine, value);
    for (Index i = parts * part; i < length; ++i) mine = op(mine, static_cast<A>(x[begin + i]));

    partial[me] = mine;
    Kokkos::memory_fence();
    const unsigned drawn = Kokkos::atomic_fetch_add(ticket, 1U);
    Kokkos::memory_fence();
    if (drawn + 1 != teams) return;
    mine = partial[0];
    for (Index t = 1; t < teams; ++t) mine = op(mine, partial[t]);
    *result = mine;
    *ticket = 0;
  }
};

}  // namespace reduce_detail

// How it is launched on a GPU; a host has one way.

/// Threads per team in all, lanes included, vectors of 16 bytes (or elements, where the input is no
/// pointer) that each has under way at once, and how many teams: so many per SM, or one of these.
struct Choice {
  static constexpr int alone = -1;    ///< one team in all
  static constexpr int one_pass = 0;  ///< as many as it takes for each thread to load once
  unsigned block, vectors;
  int per_unit;
};

/// What there are kernels for.
inline constexpr struct { unsigned block, vectors; } instances[] = {{256, 1}, {512, 4}, {1024, 4}};

/// What is chosen for so many bytes.
constexpr Choice usual_choice(std::size_t bytes) {
  constexpr std::size_t ki = 1024, mi = ki * ki;
  if (bytes <= 4 * ki) return {256, 1, Choice::alone};
  if (bytes <= 32 * ki) return {512, 4, Choice::alone};
  if (bytes <= 64 * ki) return {1024, 4, Choice::alone};
  if (bytes <= 512 * ki) return {256, 1, Choice::one_pass};
  if (bytes < 512 * mi) return {512, 4, 4};
  return {1024, 4, 64};
}

namespace reduce_detail {

/// Teams of a choice for `n` elements of `In`; no more than there are words for, and never none.
template <class In, class A>
unsigned teams_of(const Workspace& workspace, const Choice& choice, std::size_t n) {
  const std::size_t tile = std::size_t{choice.block} * choice.vectors * Access<In>::width;
  const std::size_t needed = (n + tile - 1) / tile;
  std::size_t most = workspace.count / pieces_of<A>;
  if (choice.per_unit == Choice::alone) most = 1;
  if (choice.per_unit > 0) {
    const std::size_t asked = static_cast<std::size_t>(choice.per_unit) * workspace.units;
    most = asked < most ? asked : most;
  }
  const std::size_t teams = needed < most ? needed : most;
  return teams == 0 ? 1 : static_cast<unsigned>(teams);
}

/// Calls `f.template operator()<block, vectors>()` with those of the choice; false where there is
/// no kernel for them.
template <std::size_t i = 0, class F>
bool with_instance(const Choice& choice, F&& f) {
  if constexpr (i < sizeof instances / sizeof *instances) {
    constexpr auto known = instances[i];
    if (known.block != choice.block || known.vectors != choice.vectors)
      return with_instance<i + 1>(choice, f);
    f.template operator()<known.block, known.vectors>();
    return true;
  } else {
    return false;
  }
}

template <class Space, class In, class Count, class A, class Op>
bool launch(const Space& space, const Workspace& workspace, const In& x, Count count,
            std::size_t most, A* result, const Op& op, const A& identity, const Choice& choice) {
  static_assert(std::is_trivially_copyable_v<A>, "an accumulator is moved as bytes");
  if (workspace.words == nullptr) return false;
  if constexpr (on_host<Space>) {
    static_assert(alignof(A) <= 16, "an accumulator lies in the workspace");
    const std::size_t room = (workspace.count - 1) * sizeof(std::uint64_t) / sizeof(A);
    const auto teams = static_cast<int>(workspace.units < room ? workspace.units : room);
    const InShares<In, Count, A, Op, A> kernel{x,
                                               count,
                                               reinterpret_cast<A*>(workspace.words + 2),
                                               reinterpret_cast<unsigned*>(workspace.words),
                                               result,
                                               op,
                                               identity};
    if (teams == 0) return false;
    Kokkos::parallel_for("ladder", Kokkos::TeamPolicy<Space>(space, teams, 1), kernel);
    return true;
  } else {
    return with_instance(choice, [&]<unsigned block, unsigned vectors>() {
      using Kernel = ByRanks<In, Count, A, Op, A, block, vectors>;
      const auto teams = static_cast<int>(teams_of<In, A>(workspace, choice, most));
      Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<block>> policy(space, teams, block / lanes,
                                                                    lanes);
      policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes()));
      Kokkos::parallel_for("ladder", policy, Kernel{x, count, workspace, {}, result, op, identity});
    });
  }
}

template <class Space, class View>
inline constexpr bool usable =
    View::rank() <= 1 && !std::is_same_v<typename View::array_layout, Kokkos::LayoutStride> &&
    Kokkos::SpaceAccessibility<Space, typename View::memory_space>::accessible;

}  // namespace reduce_detail

// To be called.

/// The result is the elements [0, n) of `x`, cast to A and combined by `op`; `identity` where n is
/// 0. Enqueued on the instance `space`, by one launch: `x`, `result` and the workspace have to stay
/// until it has run. `x` is a pointer that is aligned for its type, read in vectors of 16 bytes, or
/// anything with `x[i]` in a kernel. False where the workspace has not been made; what fails in
/// Kokkos itself ends as Kokkos ends it.
template <class Space, class In, class A, class Op>
bool reduce(const Space& space, const Workspace& workspace, In x, std::size_t n, A* result, Op op,
            std::type_identity_t<A> identity) {
  const Choice choice = usual_choice(n * sizeof(typename reduce_detail::Access<In>::element));
  return reduce_detail::launch(space, workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice);
}

/// The same by a choice of the caller's; false where there is no kernel for it.
template <class Space, class In, class A, class Op>
bool reduce(const Space& space, const Workspace& workspace, In x, std::size_t n, A* result, Op op,
            std::type_identity_t<A> identity, const Choice& choice) {
  return reduce_detail::launch(space, workspace, x,
                               reduce_detail::Given{static_cast<reduce_detail::Index>(n)}, n,
                               result, op, identity, choice);
}

/// The same where how many there are stands in memory of the space, no more than `most`: there are
/// as many teams as for `most`.
template <class Space, class In, class A, class Op>
bool reduce(const Space& space, const Workspace& workspace, In x, const std::size_t* n,
            std::size_t most, A* result, Op op, std::type_identity_t<A> identity) {
  const Choice choice = usual_choice(most * sizeof(typename reduce_detail::Access<In>::element));
  return reduce_detail::launch(space, workspace, x, reduce_detail::Stored{n}, most, result, op,
                               identity, choice);
}

/// All elements of a View of rank 1 into one of rank 0. Both are contiguous.
template <class Space, class T, class... In, class A, class... Out, class Op>
bool reduce(const Space& space, const Workspace& workspace, const Kokkos::View<T*, In...>& x,
            const Kokkos::View<A, Out...>& result, Op op, std::type_identity_t<A> identity) {
  static_assert(reduce_detail::usable<Space, Kokkos::View<T*, In...>> &&
                    reduce_detail::usable<Space, Kokkos::View<A, Out...>>,
                "Views that are contiguous, in memory that the space can use");
  const T* const elements = x.data();
  return reduce(space, workspace, elements, x.size(), result.data(), op, identity);
}

#undef LADDER_REDUCE_UNROLLED

}  // namespace ladder::kokkos
