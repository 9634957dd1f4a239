#pragma once

#include "ladder/cuda/detail/input.hpp"
#include "ladder/cuda/detail/platform.hpp"
#include "ladder/cuda/detail/tree.hpp"
#include "ladder/cuda/detail/words.hpp"
#include "ladder/cuda/workspace.hpp"

namespace ladder::cuda::reduce_detail {

/// `alone`: the grid is one block, which needs no workspace.
template <unsigned block, unsigned vectors, bool alone, class In, class Count, class To, class A,
          class Op>
__global__ void __launch_bounds__(block, alone ? 1 : least_resident<block>)
    reduce(In x, Count count, Workspace workspace, To result, Op op, A identity) {
  __shared__ __align__(alignof(A)) unsigned char memory[block / warp * sizeof(A)];
  A* const tile = reinterpret_cast<A*>(memory);
  const unsigned last = gridDim.x - 1;
  // As few threads as need it, since all blocks ask for the same word; and nothing is made of it
  // before the input is there, so that no load waits for it.
  unsigned call = 1;
  if (!alone && (threadIdx.x == 0 || blockIdx.x == last))
    call = static_cast<unsigned>(get(workspace.words));

  A mine = share_of<block, vectors, alone>(x, count(), identity, op);
  mine = reduce_block<block>(mine, identity, op, tile);
  if constexpr (alone) {
    if (threadIdx.x == 0) hand_over(result, mine, call);
  } else {
    if (blockIdx.x != last) {
      if (threadIdx.x == 0) leave(workspace, blockIdx.x, mine, call);
      return;
    }

    if (threadIdx.x != 0) mine = identity;
    if (last <= warp) {  // so few that one warp gets them at once
      if (threadIdx.x >= warp) return;
      mine = reduce_lanes<warp>(collect<warp>(workspace, last, call, mine, op), op);
    } else {
      mine = collect<block>(workspace, last, call, mine, op);
      __syncthreads();
      mine = reduce_block<block>(mine, identity, op, tile);
      if (threadIdx.x >= warp) return;
    }
    if (threadIdx.x == 0) hand_over(result, mine, call);
    finish(workspace, call);
  }
}

}  // namespace ladder::cuda::reduce_detail
