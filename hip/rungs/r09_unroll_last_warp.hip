// r09 unroll_last_warp: once only one wavefront is active, the tree's last levels need no block
// barrier: they leave the loop, and `sync_wave` orders them. The published form omits it and
// declares the tile volatile: correct if a wavefront has one program counter, a race if each thread
// has one. A block smaller than a wavefront has fewer levels.
//
// Unlike CUDA's (3 lines, 7f960b94): a wavefront has 32 or 64 lanes, known only to device code. A
// block of 32 threads is smaller than a wavefront of 64. Where wavefronts have 32 lanes, the
// compiler removes that test.

#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"

namespace ladder::hip::r09 {
namespace {

template <class T, class Op>
__global__ void reduce(const T* x, Index n, typename Op::value* partial) {
  using A = typename Op::value;
  constexpr unsigned wave = wave_size();
  A* const tile = shared_memory<A>();
  const unsigned tid = threadIdx.x;

  const Index i = Index{blockIdx.x} * (2 * blockDim.x) + tid;
  const Index j = i + blockDim.x;
  tile[tid] = Op{}(i < n ? A(x[i]) : Op::identity(), j < n ? A(x[j]) : Op::identity());
  __syncthreads();

  for (unsigned s = blockDim.x / 2; s > wave; s /= 2) {
    if (tid < s) tile[tid] = Op{}(tile[tid], tile[tid + s]);
    __syncthreads();
  }
  if (tid < wave) {
    if (blockDim.x > wave) tile[tid] = Op{}(tile[tid], tile[tid + wave]);
    sync_wave();
#pragma unroll
    for (unsigned s = wave / 2; s > 0; s /= 2) {
      if (tid < s && (wave == smallest_block || s < blockDim.x))
        tile[tid] = Op{}(tile[tid], tile[tid + s]);
      sync_wave();
    }
  }
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{.block = tuning.block, .items = 2, .shared = tuning.block * sizeof(A)};
    in_passes(queue, problem, layout, reduce<typename Case::element, Op>, reduce<A, Op>);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::hip::r09
