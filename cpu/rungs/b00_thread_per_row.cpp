// b00 thread_per_row: a worker reduces one row after another with `simd reduction`, the OpenMP
// idiom. Each row restarts one chain per lane, so short rows make little use of vectors.

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::b00 {
namespace {

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Case::accumulator;
    // clang-format off
#pragma omp declare reduction(fold : A : omp_out = Op{}(omp_out, omp_in)) \
    initializer(omp_priv = Op::identity())
    // clang-format on
    const Groups& rows = problem.groups;
    const auto* x = problem.input;
    const int workers = static_cast<int>(tuning.workers);
#pragma omp parallel for num_threads(workers) schedule(static)
    for (std::size_t g = 0; g < rows.count; ++g) {
      const auto* row = x + g * rows.pitch;
      A value = Op::identity();
#pragma omp simd reduction(fold : value)
      for (std::size_t i = 0; i < rows.length; ++i) value = Op{}(value, A(row[i]));
      problem.result[g] = value;
    }
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(ClassicOnAll{}, type, operation);
}

}  // namespace ladder::cpu::b00
