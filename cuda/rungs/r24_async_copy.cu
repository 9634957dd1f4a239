// r24 async_copy: a thread copies its vectors to shared memory (cp.async) instead of loading them
// into registers. It has its own ring there and refills each slot once it is read, so copies are
// always in flight. r20 issues four loads and waits for all of them. A thread waits only for its
// own copies, so the loop has no barrier. The cost is an additional read of shared memory.

#include <cuda_pipeline_primitives.h>

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"
#include "cuda/lines.hpp"

namespace ladder::cuda::r24 {
namespace {

// Slots of 16 bytes per thread: 2048 threads per SM keep 128 KiB in flight.
constexpr unsigned slots = 4;

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
  Vector<T>* const ring =
      lines_of_shared_memory<Vector<T>>() + tid;  // a slot holds one vector per thread
  Index ahead = first;
  const auto refill = [&](unsigned slot) {
    if (ahead < vectors) __pipeline_memcpy_async(ring + slot * block, v + ahead, sizeof *v);
    __pipeline_commit();  // also without a copy: the wait counts commits
    ahead += stride;
  };
#pragma unroll
  for (unsigned slot = 0; slot < slots; ++slot) refill(slot);
  const Index count = steps(first, vectors, stride);
#pragma unroll 1
  for (Index turn = count / slots; turn > 0; --turn) {
#pragma unroll
    for (unsigned slot = 0; slot < slots; ++slot) {
      __pipeline_wait_prior(slots - 1);  // all except the newest
      mine = Op{}(mine, fold<Op, T>(ring[slot * block]));
      refill(slot);
    }
  }
  __pipeline_wait_prior(0);
  for (unsigned slot = 0; slot < count % slots; ++slot)
    mine = Op{}(mine, fold<Op, T>(ring[slot * block]));

  mine = reduce_block<Op, block>(mine);
  __shared__ bool last;
  if (tid == 0) {
    partial[blockIdx.x] = mine;
    last = draw(ticket) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;

  mine = Op::identity();
  for (unsigned b = tid; b < gridDim.x; b += block) mine = Op{}(mine, partial[b]);
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
      const std::size_t blocks = layout.blocks(problem.n), ring = slots * block * sizeof(Vector<T>);
      A* const partial = queue.scratch<A>(blocks);
      Pass pass = layout.pass<T, A>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      queue.launch(reduce<T, Op, block>, Shape{blocks, block, ring}, pass, problem.input, problem.n,
                   partial, queue.ticket(), problem.result);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::cuda::r24
