// Rungs that differ from one of the ladder in a single point, to tell apart what a step of the
// ladder changes together (docs/ladder.md).

#include <array>

#include "bench/variants/variants.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::cuda::variants {
namespace {

/// r02 with a mask for its remainder: the threads that add are as scattered as there, without the
/// division that r03 saves too.
template <class T, class Op>
__global__ void reduce_by_mask(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  const Index i = Index{blockIdx.x} * blockDim.x + tid;
  tile[tid] = i < n ? A(x[i]) : Op::identity();
  __syncthreads();

  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if ((tid & (2 * s - 1)) == 0) tile[tid] = Op{}(tile[tid], tile[tid + s]);
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template <class Case>
struct ByMask {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .shared = tuning.block * sizeof(A)};
    in_passes(queue, problem, layout, reduce_by_mask<typename Case::element, Op>,
              reduce_by_mask<A, Op>);
  }
};

/// r10 with r12's tree: what shuffles are worth while each thread has but two elements.
template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block)
    reduce_by_shuffles(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  const Index i = Index{blockIdx.x} * (2 * block) + threadIdx.x;
  const Index j = i + block;
  const A mine = Op{}(i < n ? A(x[i]) : Op::identity(), j < n ? A(x[j]) : Op::identity());
  const A all = reduce_block<Op, block>(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = all;
}

template <class Case>
struct ByShuffles {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .items = 2};
      in_passes(queue, problem, layout, reduce_by_shuffles<typename Case::element, Op, block>,
                reduce_by_shuffles<A, Op, block>);
    });
  }
};

template <template <class> class Launch>
Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}

constexpr std::array all{
    variant("variant_r02_mask", "r02 without its division", find<ByMask>, block_axis),
    variant("variant_r10_shuffle", "r10 with the tree of r12", find<ByShuffles>, block_axis),
};

}  // namespace

std::span<const Extra> steps() { return all; }

}  // namespace ladder::cuda::variants
