// c03 false_sharing: the workers' partials are adjacent in memory, several per cache line. Each
// element updates its worker's partial there (volatile keeps it out of a register, which is c05's
// step). Workers share no value, but they share the line, which moves between cores. A
// counterexample, for comparison with c04.

#include <omp.h>

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::c03 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using T = typename Case::accumulator;
    const auto* x = problem.input;
    T* partials = queue.packed<T>();
    const int workers = static_cast<int>(tuning.workers);
#pragma omp parallel num_threads(workers)
    {
      volatile T& partial = partials[omp_get_thread_num()];
      partial = Op::identity();
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < problem.n; ++i) partial = Op{}(partial, x[i]);
    }
    T value = Op::identity();
    for (int worker = 0; worker < workers; ++worker) value = Op{}(value, partials[worker]);
    *problem.result = value;
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}

}  // namespace ladder::cpu::c03
