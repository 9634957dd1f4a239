// c00 serial: one loop on one thread, the simplest right answer. Compilers vectorize integer
// additions, but not floating-point ones, each of which waits for the one before.

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::c00 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning&) {
    using Op = typename Case::function;
    const auto* x = problem.input;
    auto value = Op::identity();
    for (std::size_t i = 0; i < problem.n; ++i) value = Op{}(value, x[i]);
    *problem.result = value;
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Classic{}, type, operation);
}

}  // namespace ladder::cpu::c00
