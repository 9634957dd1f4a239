// Mistakes of the published code in the cooperation of a block's threads. All but the first are
// undefined behaviour with mostly correct results: sanitize.sh runs the tools on them.

#include <array>

#include "common/data.hpp"
#include "tests/cuda/errata.hpp"

namespace ladder::cuda::faulty::errata {
namespace {

/// Tree levels above `last`, each after a barrier; the first barrier also orders the threads'
/// earlier stores.
template <class Op>
__device__ void levels_above(typename Op::value* tile, unsigned last) {
  for (unsigned s = blockDim.x / 2; s > last; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s) tile[threadIdx.x] = Op{}(tile[threadIdx.x], tile[threadIdx.x + s]);
  }
}

/// Last levels in one warp, as in r09.
template <class Op>
__device__ void levels_of_a_warp(typename Op::value* tile, unsigned first) {
  for (unsigned s = first; s > 0; s /= 2) {
    if (threadIdx.x < s) tile[threadIdx.x] = Op{}(tile[threadIdx.x], tile[threadIdx.x + s]);
    __syncwarp();
  }
}

/// The last warp starts with the element at distance 32 for any block size: a block of one warp has
/// none (harris 5, csc 5, blog 5v1). Here it reads extra memory of the rung, filled with the guard
/// value. Otherwise the tile would end the block's shared memory, as in volatile_last_warp.
template <class T, class Op>
__global__ void reduce_past_tile(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;
  tile[tid] = own_element<Op>(x, n);
  if (tid < warp) tile[blockDim.x + tid] = guard_element<A>(Op::kind);
  levels_above<Op>(tile, warp);
  __syncthreads();
  if (tid < warp) levels_of_a_warp<Op>(tile, warp);
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template <class Case>
using LastWarpPastTile =
    InPasses<Case, reduce_past_tile<typename Case::element, typename Case::function>,
             reduce_past_tile<typename Case::accumulator, typename Case::function>, 1, warp>;

/// One level of the last warp as published: every lane reads, adds and writes without
/// synchronization.
template <class Op>
__device__ void take_from(volatile typename Op::value* tile, unsigned distance) {
  const auto mine = tile[threadIdx.x], other = tile[threadIdx.x + distance];
  tile[threadIdx.x] = Op{}(mine, other);
}

template <class T, class Op>
__global__ void reduce_volatile(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;
  tile[tid] = own_element<Op>(x, n);
  levels_above<Op>(tile, warp);
  __syncthreads();
  if (tid < warp) {
    take_from<Op>(tile, 32);  // with a block of 32: past the tile
    take_from<Op>(tile, 16);
    take_from<Op>(tile, 8);
    take_from<Op>(tile, 4);
    take_from<Op>(tile, 2);
    take_from<Op>(tile, 1);
  }
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template <class Case>
using VolatileLastWarp =
    InPasses<Case, reduce_volatile<typename Case::element, typename Case::function>,
             reduce_volatile<typename Case::accumulator, typename Case::function>>;

/// One lane per warp shuffles with a mask of these lanes, but first from 16 lanes further on (blog
/// 6): with fewer than 32 warps that lane does not participate.
template <class T, class Op>
__global__ void reduce_outside_mask(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  __shared__ A of_warp[warp];
  constexpr unsigned all = 0xFFFFFFFFu;
  const unsigned tid = threadIdx.x, warps = blockDim.x / warp;
  A mine = own_element<Op>(x, n);
  for (unsigned s = warp / 2; s > 0; s /= 2) mine = Op{}(mine, __shfl_down_sync(all, mine, s));
  if (tid % warp == 0) of_warp[tid / warp] = mine;
  __syncthreads();

  const unsigned taking_part = __ballot_sync(all, tid < warps);
  if (tid < warps) {
    mine = of_warp[tid];
    for (unsigned s = warp / 2; s > 0; s /= 2) {
      mine = Op{}(mine, __shfl_down_sync(taking_part, mine, s));
    }
  }
  if (tid == 0) partial[blockIdx.x] = mine;
}

template <class Case>
using ShuffleOutsideMask =
    InPasses<Case, reduce_outside_mask<typename Case::element, typename Case::function>,
             reduce_outside_mask<typename Case::accumulator, typename Case::function>>;

/// A barrier that only the first warp reaches (blog 5v1). The others exit the kernel instead.
template <class T, class Op>
__global__ void reduce_barrier_in_branch(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;
  tile[tid] = own_element<Op>(x, n);
  levels_above<Op>(tile, warp);
  if (tid < warp) {
    __syncthreads();
    levels_of_a_warp<Op>(tile, blockDim.x > warp ? warp : warp / 2);
  }
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template <class Case>
using BarrierInBranch =
    InPasses<Case, reduce_barrier_in_branch<typename Case::element, typename Case::function>,
             reduce_barrier_in_branch<typename Case::accumulator, typename Case::function>>;

constexpr bool is_one_warp(Type, std::size_t, unsigned block) { return block == warp; }
constexpr faults::Acts nowhere_certain = nullptr;  // undefined

constexpr std::array of_threads{
    wrong("erratum_last_warp_past_tile", "begins the last warp's tree past a tile of 32",
          find<LastWarpPastTile>, {.acts = is_one_warp, .defaults = one_warp}),
    wrong("erratum_volatile_last_warp", "orders the last warp by volatile alone",
          find<VolatileLastWarp>, {.acts = nowhere_certain}),
    wrong("erratum_shuffle_outside_mask", "shuffles from lanes outside the mask",
          find<ShuffleOutsideMask>, {.acts = nowhere_certain}),
    wrong("erratum_barrier_in_branch", "has a barrier that one warp alone reaches",
          find<BarrierInBranch>, {.acts = nowhere_certain}),
};

}  // namespace

std::span<const faults::FaultyRung<Queue>> threads() { return of_threads; }

}  // namespace ladder::cuda::faulty::errata
