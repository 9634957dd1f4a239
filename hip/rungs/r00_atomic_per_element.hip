// r00 atomic_per_element: the shortest correct kernel. Every thread updates one address atomically
// for its element, so memory serializes the updates; all later rungs avoid this. Floating-point min
// and max have no atomic instruction and loop on compare-and-swap; so do sums of float on some
// architectures (RDNA 2).

#include "common/gpu/atomics.hpp"
#include "common/gpu/passes.hpp"

namespace ladder::hip::r00 {
namespace {

template <class T, class Op>
__global__ void reduce(const T* x, Index n, typename Op::value* result) {
  using A = typename Op::value;

  const Index i = Index{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomic_update<Op>(result, A(x[i]));
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    const Layout layout{.block = tuning.block};
    atomic_pass(queue, problem, layout, reduce<typename Case::element, Op>, tuning.block);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::hip::r00
