// r26 tensor_core: tensor cores replace conversions and additions. One instruction multiplies a
// warp's 32 vectors, as a matrix, by a matrix of ones, which adds the elements of each row to its
// sum. So 16 bytes of half or int8 cost a load and one instruction; r20 has one per element, plus
// conversions. Sums only, of types with the required accumulator: int8 exactly, half and bfloat16
// in float, double. Float would be truncated to 11 bits.

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"
#include "cuda/matrix.hpp"

namespace ladder::cuda::r26 {
namespace {

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
  RowSums<T> rows;
  const auto* at = v + first;
  Index left =
      vectors - (first | (warp - 1));  // counted at the warp's last lane, so it is warp-uniform
#pragma unroll 1
  for (; left > (unrolled - 1) * stride; left -= unrolled * stride) {
    Vector<T> some[unrolled];
#pragma unroll
    for (auto& vector : some) vector = *at, at += stride;
    __syncwarp();  // keeps nvcc from moving loads past the first product
#pragma unroll
    for (const auto& vector : some) add_to_rows<T>(rows, vector);
  }
#pragma unroll 1
  for (; left > 0; left -= stride, at += stride) add_to_rows<T>(rows, *at);
  add_to_rows<T>(rows, at < v + vectors ? *at : Vector<T>{});  // zeros in lanes past the end
  mine = Op{}(mine, share<Op>(rows));

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
      const std::size_t blocks = layout.blocks(problem.n);
      A* const partial = queue.scratch<A>(blocks);
      Pass pass = layout.pass<T, A>(problem.n);
      pass.depth *= roundings<T>;
      pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
      queue.launch(reduce<T, Op, block>, Shape{blocks, block}, pass, problem.input, problem.n,
                   partial, queue.ticket(), problem.result);
    });
  }
};

using Carried = Each<Operation::sum>::Over<Type::f64, Type::i8, Type::f16, Type::bf16>;

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Carried{}, type, op); }

}  // namespace ladder::cuda::r26
