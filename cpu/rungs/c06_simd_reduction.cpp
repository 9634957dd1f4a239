// c06 simd_reduction: `simd` with `reduction` allows one private copy per vector lane, so a
// worker's additions may be reordered. The loop reads whole vectors, and a chain is shorter by
// their width. Integers gain nothing: a compiler may reorder them anyway.

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::c06 {
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
#pragma omp parallel for simd num_threads(workers) schedule(static) reduction(fold : value)
    for (std::size_t i = 0; i < problem.n; ++i) value = Op{}(value, T(x[i]));
    *problem.result = value;
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(ClassicOnAll{}, type, operation);
}

}  // namespace ladder::cpu::c06
