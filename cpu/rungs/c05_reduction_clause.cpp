// c05 reduction_clause: OpenMP's `reduction` gives each worker a private copy in a register, so no
// element waits for the store before it. Floating-point additions of a worker remain one chain,
// because the clause allows no reordering within a share.

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::c05 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using T = typename Case::accumulator;
    // clang-format off
#pragma omp declare reduction(fold : T : omp_out = Op{}(omp_out, omp_in)) \
    initializer(omp_priv = Op::identity())
    // clang-format on
    const auto* x = problem.input;
    const int workers = static_cast<int>(tuning.workers);
    T value = Op::identity();
#pragma omp parallel for num_threads(workers) schedule(static) reduction(fold : value)
    for (std::size_t i = 0; i < problem.n; ++i) value = Op{}(value, T(x[i]));
    *problem.result = value;
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(ClassicOnAll{}, type, operation);
}

}  // namespace ladder::cpu::c05
