// r25 bulk_copy: one lane of each warp starts bulk copies of 2 KiB, which the Tensor Memory
// Accelerator (TMA) executes. One copy replaces 128 of r24's and their addresses; only the free
// space in the ring limits the next. Each warp has its own ring with four pieces in flight, and
// waits only for the piece that it reads next.

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"
#include "cuda/bulk.hpp"
#include "cuda/lines.hpp"

namespace ladder::cuda::r25 {
namespace {

constexpr unsigned slots = 4;

/// Vectors per lane of one piece. A block's rings take 64 KiB from 256 threads on; two blocks of
/// 256 fill an SM, with 128 KiB in flight in 64 copies.
constexpr unsigned per_lane(unsigned block) { return block <= 256 ? 4 : 1024 / block; }

template <class T, class Op, unsigned block>
__global__ void __launch_bounds__(block) reduce(const T* x, Index n, typename Op::value* partial,
                                                unsigned* ticket, typename Op::value* result) {
  using A = typename Op::value;
  constexpr unsigned piece = warp * per_lane(block);  // vectors
  const unsigned tid = threadIdx.x;
  const Index first = Index{blockIdx.x} * block + tid;
  const auto [head, vectors, tail] = split(x, n);

  A mine = Op::identity();
  if (first < head) mine = A(x[first]);
  if (first < n - tail) mine = Op{}(mine, A(x[tail + first]));
  const auto* const v = reinterpret_cast<const Vector<T>*>(x + head);
  __shared__ std::uint64_t arrived[block / warp][slots];
  Landing<slots> landing(arrived[tid / warp]);
  Vector<T>* const ring = lines_of_shared_memory<Vector<T>>() + tid / warp * slots * piece;
  const Index stride = Index{gridDim.x} * (block / warp) * piece;
  const auto refill = [&](unsigned slot, Index at) {
    const Index left = vectors - at;
    if (left <= 0) return;
    landing.start(slot, ring + slot * piece, v + at, (left < piece ? left : piece) * sizeof *v);
  };
  Index i = first / warp * piece;
  for (unsigned slot = 0; slot < slots; ++slot) refill(slot, i + slot * stride);
  for (unsigned slot = 0, round = 0; i < vectors; i += stride) {
    landing.wait(slot, round);
    const Vector<T>* const here = ring + slot * piece;
    if (vectors - i >= piece) {
#pragma unroll
      for (unsigned k = 0; k < per_lane(block); ++k)
        mine = Op{}(mine, fold<Op, T>(here[k * warp + tid % warp]));
    } else {
#pragma unroll 1
      for (unsigned k = tid % warp; k < vectors - i; k += warp)
        mine = Op{}(mine, fold<Op, T>(here[k]));
    }
    landing.release();
    refill(slot, i + slots * stride);
    if (++slot == slots) slot = 0, ++round;
  }

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
      const unsigned items = width<T> * per_lane(block);
      const Layout layout{.block = block, .items = items, .grid = tuning.grid};
      const std::size_t blocks = layout.blocks(problem.n);
      const std::size_t rings = slots * block * per_lane(block) * sizeof(Vector<T>);
      A* const partial = queue.scratch<A>(blocks);
      Pass pass = layout.pass<T, A>(problem.n);
      pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      queue.launch(reduce<T, Op, block>, Shape{blocks, block, rings}, pass, problem.input,
                   problem.n, partial, queue.ticket(), problem.result);
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::cuda::r25
