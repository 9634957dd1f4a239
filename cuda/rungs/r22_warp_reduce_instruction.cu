// r22 warp_reduce_instruction: one instruction reduces 32 bits of each lane of a warp
// (`redux.sync`, compute capability 8.0), instead of five dependent shuffles and operations in
// r20's tree. It supports sum, min and max of integers and bitwise operations; r20's other cases
// have no such instruction. A block runs only two such trees, after all its loads, so large arrays
// gain nothing.

#include <type_traits>

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"
#include "cuda/target.hpp"

namespace ladder::cuda::r22 {
namespace {

/// Reduces one value per lane; all lanes get the result. Sign extension of int8 does not affect
/// these operations. The intrinsics exist only for targets that support them, so their arguments
/// are template-dependent.
template <class Op, class A>
__device__ A reduce_warp(A value) {
  constexpr Operation kind = Op::kind;
  constexpr bool signs = kind == Operation::sum || kind == Operation::min || kind == Operation::max;
  using Word = std::conditional_t<signs, int, unsigned>;
  [[maybe_unused]] constexpr unsigned all = 0xFFFFFFFFu;
  Word word = static_cast<Word>(value);
  if constexpr (target < 80) {
    __trap();
  } else if constexpr (kind == Operation::sum) {
    word = __reduce_add_sync(all, word);
  } else if constexpr (kind == Operation::min) {
    word = __reduce_min_sync(all, word);
  } else if constexpr (kind == Operation::max) {
    word = __reduce_max_sync(all, word);
  } else if constexpr (kind == Operation::bit_and) {
    word = __reduce_and_sync(all, word);
  } else if constexpr (kind == Operation::bit_or) {
    word = __reduce_or_sync(all, word);
  } else {
    static_assert(kind == Operation::bit_xor);
    word = __reduce_xor_sync(all, word);
  }
  return static_cast<A>(word);
}

/// `reduce_block` of common/gpu/tree.hpp, with one instruction per loop.
template <class Op, unsigned block, class A>
__device__ A reduce_block_at_once(A mine) {
  __shared__ A tile[block / warp];
  const unsigned tid = threadIdx.x;
  mine = reduce_warp<Op>(mine);
  if (tid % warp == 0) tile[tid / warp] = mine;
  __syncthreads();
  if (tid < warp) mine = reduce_warp<Op>(tid < block / warp ? tile[tid] : Op::identity());
  return mine;
}

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* partial,
                                                unsigned* ticket, typename Op::value* result) {
  using A = typename Op::value;
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * block + tid, stride = Index{gridDim.x} * block;
  const auto [head, vectors, tail] = split(x, n);

  A mine = Op::identity();
  if (first < head) mine = A(x[first]);
  if (first < n - tail) mine = Op{}(mine, A(x[tail + first]));
  const auto* const v = reinterpret_cast<const Vector<T>*>(x + head);
  Index i = first;
#pragma unroll unrolled
  for (Index k = steps(first, vectors, stride); k > 0; --k, i += stride)
    mine = Op{}(mine, fold<Op, T>(v[i]));

  mine = reduce_block_at_once<Op, block>(mine);
  __shared__ bool last;
  if (tid == 0) {
    partial[blockIdx.x] = mine;
    last = draw(ticket) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;

  mine = Op::identity();
  for (unsigned b = tid; b < gridDim.x; b += block) mine = Op{}(mine, partial[b]);
  mine = reduce_block_at_once<Op, block>(mine);
  if (tid == 0) {
    *result = mine;
    *ticket = 0;
  }
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    with_block(tuning.block, [&]<unsigned block>() {
      const Layout layout{.block = block, .items = width<T>, .grid = tuning.grid};
      const std::size_t blocks = layout.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      Pass pass = layout.pass<T, A>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      queue.launch(reduce<T, Op, block>, Shape{blocks, block}, pass, problem.input, problem.n,
                   partial, queue.ticket(), problem.result);
    });
  }
};

using Carried = Each<Operation::sum, Operation::min, Operation::max, Operation::bit_and,
                     Operation::bit_or, Operation::bit_xor>::Over<Type::i8, Type::i32>;

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Carried{}, type, op); }

}  // namespace ladder::cuda::r22
