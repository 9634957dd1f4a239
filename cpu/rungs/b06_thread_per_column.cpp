// b06 thread_per_column: a worker walks down one column after another, the simplest order; it uses
// one element of each cache line that it reads.

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::b06 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Case::accumulator;
    const Groups& columns = problem.groups;
    const auto* x = problem.input;
    const int workers = static_cast<int>(tuning.workers);
#pragma omp parallel for num_threads(workers) schedule(static)
    for (std::size_t g = 0; g < columns.count; ++g) {
      A value = Op::identity();
      for (std::size_t i = 0; i < columns.length; ++i)
        value = Op{}(value, A(x[i * columns.pitch + g]));
      problem.result[g] = value;
    }
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(ClassicOnAll{}, type, operation);
}

}  // namespace ladder::cpu::b06
