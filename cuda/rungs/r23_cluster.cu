// r23 cluster: eight blocks form a cluster, resident together and with access to each other's
// shared memory. They store their partials in the first block, which stores one partial for all.
// This leaves an eighth of r20's tickets and partials, at the cost of a cluster barrier. The grid
// is rounded up to whole clusters, so some blocks may have no elements.

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"
#include "cuda/cluster.hpp"

namespace ladder::cuda::r23 {
namespace {

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* partial,
                                                unsigned* ticket, typename Op::value* result) {
  using A = typename Op::value;
  const unsigned tid = threadIdx.x;
  const unsigned clusters = gridDim.x / cluster;
  arrive_at_cluster();  // all blocks have started once the wait below returns
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

  mine = reduce_block<Op, block>(mine);
  __shared__ A of_blocks[cluster];
  wait_for_cluster();
  if (tid == 0) *in_block(of_blocks + cluster_rank(), 0) = mine;
  arrive_at_cluster();
  wait_for_cluster();
  if (cluster_rank() != 0) return;

  __shared__ bool last;
  if (tid == 0) {
    for (unsigned b = 1; b < cluster; ++b) mine = Op{}(mine, of_blocks[b]);
    partial[blockIdx.x / cluster] = mine;
    last = draw(ticket) == clusters - 1;
  }
  __syncthreads();
  if (!last) return;

  mine = Op::identity();
  for (unsigned b = tid; b < clusters; b += block) mine = Op{}(mine, partial[b]);
  mine = reduce_block<Op, block>(mine);
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
      const std::size_t blocks = in_whole_clusters(layout.blocks(problem.n));
      A* const partial = queue.scratch<A>(blocks / cluster);
      Pass pass = layout.pass<T, A>(problem.n);
      pass.written_bytes = blocks / cluster * sizeof(A);
      pass.depth += cluster - 1;
      pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks / cluster);
      queue.launch_in_clusters(cluster, reduce<T, Op, block>, Shape{blocks, block}, pass,
                               problem.input, problem.n, partial, queue.ticket(), problem.result);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::cuda::r23
