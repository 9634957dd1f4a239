// c02's workers each kept a sum of their own; here these partials stand side by side in memory,
// several in one cache line, and are updated there element by element (volatile: a compiler could
// keep one in a register, and that is c05's step). No two workers share a value, but they share the
// line, which has to travel all the same: what should not be done, to be held against c04.

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
