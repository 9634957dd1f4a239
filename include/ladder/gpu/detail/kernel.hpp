#pragma once

#include "ladder/gpu/detail/gpu_platform.hpp"
#include "ladder/gpu/detail/gpu_tree.hpp"
#include "ladder/gpu/detail/gpu_words.hpp"
#include "ladder/gpu/detail/input.hpp"
#include "ladder/gpu/detail/overlap.hpp"
#include "ladder/gpu/workspace.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// In large grids the last block of each `group` blocks collects the partials of its group, and the
/// last block of the grid those of the groups. A wave reads a group's words in one round. Large
/// means more blocks than the last one reads in two rounds.
template <class A>
inline constexpr unsigned group = 32 * at_once<A>;
template <unsigned block, class A>
inline constexpr unsigned most_directly = 2 * block*(at_once<A>);

/// Programmatic dependent launch, at the start of a kernel and after its loads. A call that waits
/// first triggers its dependents only then, so it may rely on all earlier work being complete.
template <Overlap overlap>
__device__ void overlap_at_start() {
  if constexpr (overlap == Overlap::after_previous) wait_for_previous();
  if constexpr (overlap != Overlap::none) let_next_start();
}
template <Overlap overlap>
__device__ void overlap_after_loads() {
  if constexpr (overlap == Overlap::input_ready) wait_for_previous();
}

/// `alone`: a grid of one block, which needs no workspace.
template <unsigned block, unsigned vectors, bool alone, class In, class Count, class To, class A,
          class Op, Overlap overlap = Overlap::none>
__global__ void __launch_bounds__(block, alone ? 1 : (least_resident<block, vectors>))
    reduce(In x, Count count, Workspace workspace, To result, Op op, A identity) {
  __shared__ __align__(tile_alignment<A>) unsigned char memory[warps_of<block> * sizeof(A)];
  A* const tile = reinterpret_cast<A*>(memory);
  const unsigned last = gridDim.x - 1;
  const bool in_groups = !alone && gridDim.x > most_directly<block, A>;
  const bool leads = in_groups && (blockIdx.x % group<A> == group<A> - 1 || blockIdx.x == last);
  // Few threads read this word, because all blocks contend for it. Its value is unused until the
  // input has arrived, so no load waits for it.
  const bool asks =
      !alone && (threadIdx.x == 0 || blockIdx.x == last || (leads && threadIdx.x < wave));
  unsigned call = 1;
  overlap_at_start<overlap>();
  if (overlap != Overlap::input_ready && asks) call = static_cast<unsigned>(get(workspace.words));

  A mine = share_of<block, vectors, alone>(x, count(), identity, op);
  mine = reduce_block<block>(mine, op, tile);
  overlap_after_loads<overlap>();
  // The previous call has written its number only now.
  if (overlap == Overlap::input_ready && asks) call = static_cast<unsigned>(get(workspace.words));
  if constexpr (alone) {
    if (threadIdx.x == 0) reduce_detail::hand_over(result, mine, call);
  } else {
    if (leads && threadIdx.x < wave) {
      if (threadIdx.x != 0) mine = identity;
      const unsigned others = blockIdx.x % group<A>;
      mine = reduce_lanes<wave>(
          collect<wave>(workspace, blockIdx.x - others, 1, others, call, mine, op), op);
    }
    if (blockIdx.x != last) {
      if (threadIdx.x == 0) reduce_detail::leave(workspace, blockIdx.x, mine, call);
      return;
    }

    if (threadIdx.x != 0) mine = identity;
    if (last <= wave * at_once<A>) {  // one wave reads all words in one round
      if (threadIdx.x >= wave) return;
      mine = reduce_lanes<wave>(collect<wave>(workspace, 0, 1, last, call, mine, op), op);
    } else {
      const unsigned first = in_groups ? group<A> - 1 : 0, step = in_groups ? group<A> : 1;
      mine = collect<block>(workspace, first, step, last / step, call, mine, op);
      __syncthreads();
      mine = reduce_block<block>(mine, op, tile);
      if (threadIdx.x >= wave) return;
    }
    if (threadIdx.x == 0) reduce_detail::hand_over(result, mine, call);
    finish(workspace, call);
  }
}

/// One block, whole vectors: at least one, at most those that its threads load at once. No loop, no
/// remainder, no 64-bit index.
template <unsigned block, unsigned vectors, class In, class Count, class To, class A, class Op,
          Overlap overlap = Overlap::none>
__global__ void __launch_bounds__(block)
    reduce_whole(In x, Count n, Workspace, To result, Op op, A identity) {
  constexpr unsigned warps = warps_of<block>;
  __shared__ __align__(tile_alignment<A>) unsigned char memory[warps * sizeof(A)];
  A* const tile = reinterpret_cast<A*>(memory);
  overlap_at_start<overlap>();
  const unsigned count = static_cast<unsigned>(n()) / Access<In>::width, i = threadIdx.x;

  A mine = identity;
  Loaded<In, A> loaded[vectors];
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
    const unsigned there = i + k * block;
    loaded[k].load(x, there < count ? there : count - 1);  // a branch would serialize the loads
  }
#pragma unroll
  for (unsigned k = 0; k < vectors; ++k) {
    if (i + k * block < count) mine = op(mine, reduce_detail::value_of(loaded[k], op));
  }

  mine = reduce_block<block>(mine, op, tile);
  overlap_after_loads<overlap>();
  if (i == 0) reduce_detail::hand_over(result, mine, 1);
}

/// One cluster: its blocks' partials meet in the first block's shared memory. It uses no workspace,
/// so only the write of the result waits for the previous call.
template <unsigned block, unsigned vectors, class In, class Count, class To, class A, class Op,
          Overlap overlap>
__global__ void __launch_bounds__(block)
    reduce_cluster(In x, Count count, Workspace, To result, Op op, A identity) {
  constexpr bool alone = false;
  __shared__ __align__(tile_alignment<A>) unsigned char memory[warps_of<block> * sizeof(A)],
      of_blocks[cluster_blocks * sizeof(A)];
  overlap_at_start<overlap>();
  arrive_at_cluster();  // all blocks have started once the wait below returns
  A mine = share_of<block, vectors, alone>(x, count(), identity, op);
  mine = reduce_block<block>(mine, op, reinterpret_cast<A*>(memory));
  wait_for_cluster();
  A* const partials = reinterpret_cast<A*>(of_blocks);
  if (threadIdx.x == 0) in_first_block(partials)[blockIdx.x] = mine;
  arrive_at_cluster();
  wait_for_cluster();
  overlap_after_loads<overlap>();
  if (threadIdx.x == 0 && blockIdx.x == 0)
    reduce_detail::hand_over(result, fold<cluster_blocks, A>(partials, op), 1);
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
#pragma GCC visibility pop
