// c02 critical_per_thread: each worker reduces its share in a register and enters one critical
// section with the result. This is one exclusive update per worker, instead of c01's one per
// element.

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::c02 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    const auto* x = problem.input;
    const int workers = static_cast<int>(tuning.workers);
    auto value = Op::identity();
#pragma omp parallel num_threads(workers)
    {
      auto mine = Op::identity();
#pragma omp for schedule(static) nowait
      for (std::size_t i = 0; i < problem.n; ++i) mine = Op{}(mine, x[i]);
#pragma omp critical
      value = Op{}(value, mine);
    }
    *problem.result = value;
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}

}  // namespace ladder::cpu::c02
