// c01 atomic_per_element: all workers update the one result atomically per element, so its cache
// line moves from core to core. It uses compare-and-swap, which supports every type and operation;
// OpenMP's `atomic` has no minimum before 5.1.

#include <atomic>

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::c01 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    const auto* x = problem.input;
    const int workers = static_cast<int>(tuning.workers);
    auto value = Op::identity();
#pragma omp parallel for num_threads(workers) schedule(static)
    for (std::size_t i = 0; i < problem.n; ++i) {
      const std::atomic_ref shared(value);
      auto seen = shared.load(std::memory_order_relaxed);
      while (!shared.compare_exchange_weak(seen, Op{}(seen, x[i]), std::memory_order_relaxed)) {
      }
    }
    *problem.result = value;
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}

}  // namespace ladder::cpu::c01
