#pragma once

// What CUDA has a word for and Kokkos has none, for the variants that show what that costs.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kokkos/queue.hpp"
#include "kokkos/team.hpp"
#include "ladder/kokkos/reduce.hpp"

#if LADDER_KOKKOS_CUDA
#include <cuda/atomic>

#include "cuda/tree.hpp"
#endif

namespace ladder::kokkos::faulty::small_sizes {

/// Whether the build has them.
inline constexpr bool natively = LADDER_KOKKOS_CUDA != 0;

/// Kokkos reads the number of lanes at run time; from here on its compiler knows.
KOKKOS_INLINE_FUNCTION void tell_lanes() {
  KOKKOS_IF_ON_DEVICE((__builtin_assume(blockDim.x == lanes);))
}

/// Kokkos tells it within a range over lanes alone.
KOKKOS_INLINE_FUNCTION unsigned lane_of_thread() {
  unsigned lane = 0;
  KOKKOS_IF_ON_DEVICE((lane = threadIdx.x;))
  return lane;
}

template <unsigned width, class A, class Op>
KOKKOS_FUNCTION A reduce_lanes(A mine, [[maybe_unused]] const Op& op) {
  KOKKOS_IF_ON_DEVICE((_Pragma("unroll") for (unsigned s = width / 2; s > 0; s /= 2) mine =
                           op(mine, ladder::cuda::from_above(mine, s));))
  return mine;
}

/// The tree of ladder/kokkos/reduce.hpp, as the native header has it.
template <unsigned threads, class A, class Op, class Team, class Leaf>
KOKKOS_FUNCTION A by_shuffles(const Team& team, [[maybe_unused]] A* tile, const Op& op, A identity,
                              const Leaf& leaf) {
  constexpr unsigned warps = threads / lanes;
  const unsigned lane = lane_of_thread();
  const auto warp = static_cast<unsigned>(team.team_rank());
  A mine = identity;
  leaf(warp * lanes + lane, mine);
  mine = reduce_lanes<lanes>(mine, op);
  if constexpr (warps > 1) {
    if (lane == 0) tile[warp] = mine;
    team.team_barrier();
    if (warp == 0) mine = reduce_lanes<warps>(lane < warps ? tile[lane] : identity, op);
  }
  return mine;
}

/// Words by relaxed accesses of the device's scope, or as Kokkos's r30 has them.
template <bool relaxed>
KOKKOS_FUNCTION std::uint64_t get(std::uint64_t* word) {
#if LADDER_KOKKOS_CUDA
  using Word = ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_device>;
  if constexpr (relaxed) return Word(*word).load(::cuda::memory_order_relaxed);
#endif
  return reduce_detail::get(word);
}
template <bool relaxed>
KOKKOS_FUNCTION void put(std::uint64_t* word, std::uint64_t value) {
#if LADDER_KOKKOS_CUDA
  using Word = ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_device>;
  if constexpr (relaxed) return Word(*word).store(value, ::cuda::memory_order_relaxed);
#endif
  reduce_detail::put(word, value);
}

template <bool relaxed, class A>
KOKKOS_FUNCTION void leave(const Workspace& workspace, unsigned team, const A& partial,
                           unsigned call) {
  if constexpr (!relaxed) {
    reduce_detail::leave(workspace, team, partial, call);
  } else {
    constexpr unsigned pieces = reduce_detail::pieces_of<A>;
    const auto cut = reduce_detail::cut(partial);
    LADDER_UNROLLED_WHOLE
    for (unsigned p = 0; p < pieces; ++p)
      put<true>(workspace.words + 1 + team * pieces + p, std::uint64_t{call} << 32 | cut.at[p]);
  }
}

template <bool relaxed, class A, class Op>
KOKKOS_FUNCTION void collect(const Workspace& workspace, unsigned first, unsigned block,
                             unsigned last, unsigned call, A& mine, const Op& op) {
  if constexpr (!relaxed) {
    reduce_detail::collect(workspace, first, block, last, call, mine, op);
  } else {
    constexpr unsigned pieces = reduce_detail::pieces_of<A>, at_once = pieces < 4 ? 4 / pieces : 1;
    for (unsigned b = first; b < last; b += at_once * block) {
      reduce_detail::Pieces<A> found[at_once];
      bool here;
      do {
        reduce_detail::Seen<A> seen[at_once];
        LADDER_UNROLLED_WHOLE
        for (unsigned k = 0; k < at_once; ++k) {
          const unsigned other = b + k * block < last ? b + k * block : last - 1;
          LADDER_UNROLLED_WHOLE
          for (unsigned p = 0; p < pieces; ++p)
            seen[k].at[p] = get<true>(workspace.words + 1 + other * pieces + p);
        }
        here = true;
        LADDER_UNROLLED_WHOLE
        for (unsigned k = 0; k < at_once; ++k)
          here &= reduce_detail::taken(seen[k], call, found[k]);
      } while (!here);
      LADDER_UNROLLED_WHOLE
      for (unsigned k = 0; k < at_once; ++k) {
        if (b + k * block < last) mine = op(mine, reduce_detail::joined<A>(found[k]));
      }
    }
  }
}

#if LADDER_KOKKOS_CUDA
/// The team that Kokkos makes of a block for its functor, and nothing else of what it does. The
/// sizes are arguments as they are there: of constants nvcc makes accesses that ask where shared
/// memory is.
template <unsigned threads, class Kernel>
__global__ void __launch_bounds__(threads, (detail::resident<Kernel>()))
    bare(const Kernel kernel, int reserved, int scratch) {
  kernel(Kokkos::Impl::CudaTeamMember(kokkos_impl_cuda_shared_memory<void>(), reserved, scratch,
                                      nullptr, 0, static_cast<int>(blockIdx.x),
                                      static_cast<int>(gridDim.x)));
}
#endif

/// Enqueues the functor on a GPU by CUDA's own launch.
template <unsigned threads, class Kernel, class Space>
void launch_bare([[maybe_unused]] const Space& space, [[maybe_unused]] const Kernel& kernel,
                 [[maybe_unused]] const Shape& shape) {
#if LADDER_KOKKOS_CUDA
  if constexpr (std::is_same_v<Space, Kokkos::Cuda>) {
    constexpr unsigned team = threads / Kernel::vector_length;
    constexpr int reserved = 8 * (team + 2);  // what Kokkos keeps for reductions of its own
    const auto scratch = static_cast<int>(shape.shared);
    bare<threads><<<static_cast<unsigned>(shape.grid), dim3(Kernel::vector_length, team),
                    static_cast<std::size_t>(reserved + scratch), space.cuda_stream()>>>(
        kernel, reserved, scratch);
  }
#endif
}

}  // namespace ladder::kokkos::faulty::small_sizes
