// c07 multiple_accumulators: each worker splits its share into four parts with one vector
// accumulator each. In cache, independent chains help floating-point min and max, which take
// several instructions per element. In memory, four streams help because hardware prefetchers stop
// at a page. Four is always close to the best of 1, 2, 4 and 8 (medians, in cache and memory). Two
// leaves min and max latency-bound; eight is slower for sums in cache.

#include <algorithm>

#include <omp.h>

#include "common/problem.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::c07 {
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
    const int workers = static_cast<int>(tuning.workers);
    T value = Op::identity();
#pragma omp parallel num_threads(workers) reduction(fold : value)
    {
      const auto me = static_cast<std::size_t>(omp_get_thread_num());
      const auto team = static_cast<std::size_t>(omp_get_num_threads());
      const std::size_t share = problem.n / team, rest = problem.n % team;
      const std::size_t begin = me * share + std::min(me, rest);
      const std::size_t count = share + (me < rest ? 1 : 0);
      const std::size_t quarter = count / 4;
      const auto* x = problem.input + begin;
      T a = Op::identity(), b = a, c = a, d = a;
#pragma omp simd reduction(fold : a, b, c, d)
      for (std::size_t i = 0; i < quarter; ++i) {
        a = Op{}(a, T(x[i]));
        b = Op{}(b, T(x[i + quarter]));
        c = Op{}(c, T(x[i + 2 * quarter]));
        d = Op{}(d, T(x[i + 3 * quarter]));
      }
      for (std::size_t i = 4 * quarter; i < count; ++i) a = Op{}(a, T(x[i]));
      value = Op{}(Op{}(a, b), Op{}(c, d));
    }
    *problem.result = value;
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(ClassicOnAll{}, type, operation);
}

}  // namespace ladder::cpu::c07
