// r28 fixed_tree: r20 with an order of operations that depends on n alone (common/fixed_tree.hpp),
// so the result has the same bits for any block, grid and backend. A warp loads a chunk of 8 KiB at
// once, each thread its lanes of 16 rows, and combines the lanes by shuffles. A block combines
// adjacent warps' values and stores one partial per subtree. The fixed order costs registers: more
// loads in flight than r20, for fewer threads.

#include <limits>

#include "common/gpu/atomics.hpp"
#include "common/gpu/gpu_fixed_tree.hpp"
#include "common/gpu/passes.hpp"
#include "common/model/subtrees.hpp"

namespace ladder::cuda::r28 {
namespace {

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block, (Crew<T, typename Op::value>::resident(block)))
    reduce(const T* x, Index n, Subtrees subtrees, typename Op::value* partial, unsigned* ticket,
           typename Op::value* result) {
  using A = typename Op::value;
  using Crew = Crew<T, A>;
  constexpr unsigned crews = block / Crew::threads;
  __shared__ A tile[block];
  const unsigned tid = threadIdx.x;

  for (unsigned i = blockIdx.x; i < subtrees.count; i += gridDim.x) {
    for (unsigned turn = 0; turn < subtrees.turns; ++turn) {
      const Index chunk = (Index{i} * subtrees.turns + turn) * crews + tid / Crew::threads;
      const Index first = chunk * Crew::chunk;
      const A mine = join_lanes<Op, Crew::threads, warp>(of_chunk<T, Op>(x + first, n - first));
      if (tid % warp == 0) tile[turn * (block / warp) + tid / warp] = mine;
    }
    const A value = join_tile<Op, block>(tile, subtrees.turns * (block / warp));
    if (tid == 0) partial[i] = value;
  }

  __shared__ bool last;
  if (tid == 0) last = draw(ticket) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;

  // Each round combines `at_once` partials per thread and overwrites the first ones, which are
  // already read, until one is left.
  constexpr unsigned at_once = Subtrees::at_once<A>;
  for (unsigned left = subtrees.count, values = 0; values != 1; left = values) {
    values = (left - 1) / (at_once * block) + 1;
    for (unsigned v = 0; v < values; ++v) {
      A mine[at_once];
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) {
        const unsigned i = (v * at_once + k) * block + tid;
        mine[k] = i < left ? partial[i] : Op::identity();
      }
#pragma unroll
      for (unsigned k = 0; k < at_once; ++k) {
        const A value = join_lanes<Op, 1, warp>(mine[k]);
        if (tid % warp == 0) tile[k * (block / warp) + tid / warp] = value;
      }
      const A value = join_tile<Op, block>(tile, at_once * (block / warp));
      if (tid == 0) partial[v] = value;
    }
    __syncthreads();
  }
  if (tid == 0) {
    const A all = partial[0];
    *result = all == all ? all : std::numeric_limits<A>::quiet_NaN();
    *ticket = 0;
  }
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    using Crew = Crew<T, A>;
    with_block(tuning.block, [&]<unsigned block>() {
      const Subtrees subtrees(problem.n, Crew::chunk * block / Crew::threads);
      const std::size_t blocks = blocks_for(subtrees.count, 1, tuning.grid);
      const std::size_t partials = subtrees.count * sizeof(A);
      const Pass pass{.read_bytes = problem.n * sizeof(T) + partials,
                      .written_bytes = partials + sizeof(A),
                      .depth = depth_of(Crew::tree, problem.n)};
      queue.launch(reduce<T, Op, block>, Shape{blocks, block}, pass, problem.input, problem.n,
                   subtrees, queue.scratch<A>(subtrees.count), queue.ticket(), problem.result);
    });
  }
};

using Rounded =
    Each<Operation::sum, Operation::product>::Over<Type::f32, Type::f64, Type::f16, Type::bf16>;

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Rounded{}, type, op); }

}  // namespace ladder::cuda::r28
