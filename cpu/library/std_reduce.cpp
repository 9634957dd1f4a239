// std::reduce with a parallel policy, as a C++ program would call it; libstdc++ runs it on oneTBB.
// The arena that limits the threads is created in advance. Threads are not pinned: oneTBB places
// them itself.

#include <execution>
#include <map>
#include <numeric>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "cpu/cpu_backend.hpp"

namespace ladder::cpu::std_reduce {
namespace {

/// One arena per number of workers, including the calling thread.
tbb::task_arena& arena_of(unsigned workers) {
  static std::map<unsigned, tbb::task_arena> arenas;
  return arenas.try_emplace(workers, static_cast<int>(workers)).first->second;
}

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning& tuning) {
    using Op = typename Case::function;
    using A = typename Case::accumulator;
    const auto* x = problem.input;
    arena_of(tuning.workers).execute([&] {
      if constexpr (std::is_same_v<typename Case::element, A>) {
        *problem.result =
            std::reduce(std::execution::par_unseq, x, x + problem.n, Op::identity(), Op{});
      } else {
        *problem.result =
            std::transform_reduce(std::execution::par_unseq, x, x + problem.n, Op::identity(), Op{},
                                  [](typename Case::element element) { return A(element); });
      }
    });
  }
};

}  // namespace

void make_ready(Queue& queue, unsigned workers) {
  static const tbb::global_control enough(tbb::global_control::max_allowed_parallelism,
                                          queue.pinning().max_workers());
  arena_of(workers).execute([=] { tbb::parallel_for(0U, 64 * workers, [](unsigned) {}); });
}

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Everything{}, type, operation);
}

}  // namespace ladder::cpu::std_reduce
