// c04 padded_partials: each worker's partial has its own cache lines, so a write no longer
// invalidates other cores' lines as in c03. Each element still updates the partial in memory
// (volatile keeps it out of a register, which is c05's step).

#include <omp.h>

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::c04 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using T = typename Case::accumulator;
    const auto* x = problem.input;
    Padded<T>* partials = queue.partials<T>();
    const int workers = static_cast<int>(tuning.workers);
#pragma omp parallel num_threads(workers)
    {
      volatile T& partial = partials[omp_get_thread_num()].value;
      partial = Op::identity();
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < problem.n; ++i) partial = Op{}(partial, x[i]);
    }
    T value = Op::identity();
    for (int worker = 0; worker < workers; ++worker) value = Op{}(value, partials[worker].value);
    *problem.result = value;
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}

}  // namespace ladder::cpu::c04
