// m02 peer_writes: one launch per device, and no host, library or second kernel in between. Each
// device reduces its share as r20 does. Its last block then writes the partial, in the same words
// as the call number, to the first device's memory. The first device's last block polls these words
// for its call number and adds the partials in device order. It writes the result to its own
// memory, or to the host's in words of the same format. One thread per device launches, all at
// once. If shares are on one device, one thread launches the first share last, so that it never
// waits for work enqueued after it.

#include "common/gpu/atomics.hpp"
#include "common/gpu/model.hpp"
#include "common/gpu/passes.hpp"
#include "common/gpu/tree.hpp"
#include "common/gpu/vector.hpp"
#include "several/gpu/hand_over.hpp"
#include "several/gpu/several_gpu.hpp"

namespace ladder::several::LADDER_MODEL::m02 {
namespace {

using namespace ladder::LADDER_MODEL;

constexpr unsigned block = 512;
constexpr unsigned blocks_per_unit = 4;

template <class T, class Op>
__global__ void __launch_bounds__(block)
    reduce(const T* x, Index n, typename Op::value* partial, unsigned* ticket, Call call,
           typename Op::value* result) {
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

  mine = reduce_block<Op, block>(mine);
  if (gridDim.x > 1) {
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
    if (tid == 0) *ticket = 0;
  }
  if (tid != 0) return;
  if (call.side != 0) return leave(words_for(call, call.side), call, mine);
  bool all = true;
  for (unsigned side = 1; side < call.sides; ++side) {
    A other;
    all &= take(call, side, other);
    mine = Op{}(mine, other);
  }
  if (!all) return;  // the result stays unchanged, which the check reports
  if (call.told != nullptr) return leave(call.told, call, mine);
  *result = mine;
}

template <class Case>
struct Launch {
  static void run(Sending& side, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    using Op = typename Case::function;
    using A = typename Op::value;
    const Layout layout{
        .block = block, .items = width<T>, .grid = blocks_per_unit * side.facts().units};
    const std::size_t blocks = layout.blocks(problem.n);
    Pass pass = layout.pass<T, A>(problem.n);
    pass += Layout{.block = block, .grid = 1}.pass<A, A>(blocks);
    side.launch(reduce<T, Op>, Shape{blocks, block}, pass, problem.input, problem.n,
                side.scratch<A>(blocks), side.ticket(), side.call, problem.result);
  }
};

Run<Sending> find(Type type, Operation operation) {
  return pick<Sending, Launch>(Everything{}, type, operation);
}

}  // namespace

bool carries(Type type, Operation operation) { return find(type, operation) != nullptr; }

std::unique_ptr<Job> prepare(std::span<const Side> sides, const Problem& problem, Result where) {
  return std::make_unique<Peers>(sides, problem, find(problem.type, problem.operation), where);
}

}  // namespace ladder::several::LADDER_MODEL::m02
