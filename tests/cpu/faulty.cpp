#include <array>
#include <atomic>
#include <thread>

#include "common/ladder.hpp"
#include "common/problem.hpp"
#include "cpu/cpu_backend.hpp"
#include "tests/faulty_rungs.hpp"

namespace ladder::cpu::c00 {
Run<Queue> find(Type, Operation);
}  // namespace ladder::cpu::c00

namespace ladder::cpu::faulty {
namespace {

template <class Case>
typename Case::accumulator fold(const View<Case>& problem, std::size_t begin, std::size_t end) {
  using Op = typename Case::function;
  auto value = Op::identity();
  for (std::size_t i = begin; i < end; ++i) value = Op{}(value, problem.input[i]);
  return value;
}

template <class Case>
struct AddsTwice {
  static void run(Queue&, const View<Case>& problem, const Tuning&) {
    using Op = typename Case::function;
    *problem.result = Op{}(fold(problem, 0, problem.n), problem.input[problem.n / 2]);
  }
};

template <class Case>
struct ReturnsZero {
  static void run(Queue&, const View<Case>& problem, const Tuning&) { *problem.result = 0; }
};

template <class Case>
struct TenTimes {
  static void run(Queue&, const View<Case>& problem, const Tuning&) {
    using T = typename Case::accumulator;
    *problem.result = Function<Operation::product, T>{}(fold(problem, 0, problem.n), T{10});
  }
};

/// Returns the start of the second thread's half: near the middle, with an odd number of the
/// elements at even indices. In exact sums only those are odd, so the second half never adds up to
/// zero.
std::size_t second_half(std::size_t n) {
  std::size_t middle = n / 2;
  while (((n + 1) / 2 - (middle + 1) / 2) % 2 == 0) ++middle;
  return middle;
}

/// Two threads; the first reads the second's partial without waiting for it. The second is held
/// back until that has happened, so the fault acts every time.
template <class Case>
struct MissingBarrier {
  static void run(Queue&, const View<Case>& problem, const Tuning&) {
    using Op = typename Case::function;
    const std::size_t middle = second_half(problem.n);
    std::atomic<typename Case::accumulator> partial{Op::identity()};
    std::atomic<bool> was_read{false};
    std::jthread second([&] {
      const auto value = fold(problem, middle, problem.n);
      while (!was_read.load()) std::this_thread::yield();
      partial.store(value);
    });
    const auto first = fold(problem, 0, middle);
    *problem.result = Op{}(first, partial.load());
    was_read.store(true);
  }
};

/// Simulates a wrong fill of a vector's lanes past the last element: 1, the identity of products,
/// in a sum; 0, the identity of sums, in an extremum.
template <class Case>
struct FillsLanesWrongly {
  static void run(Queue&, const View<Case>& problem, const Tuning&) {
    using Op = typename Case::function;
    auto value = fold(problem, 0, problem.n);
    if (problem.n % 16 != 0) value = Op{}(value, Case::operation == Operation::sum ? 1 : 0);
    *problem.result = value;
  }
};

/// c02 without its critical section: loses one worker's update when two write at once.
template <class Case>
struct Races {
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
      value = Op{}(value, mine);
    }
    *problem.result = value;
  }
};

template <template <class> class Launch>
constexpr faults::Find<Queue> find = faults::find_classic<Queue, Launch>;
template <std::size_t (*count)(std::size_t n, std::size_t bytes)>
constexpr faults::Find<Queue> miscounting = faults::miscounting<Queue, c00::find, count>;

consteval faults::FaultyRung<Queue> wrong(std::string_view id, std::string_view idea,
                                          faults::Find<Queue> finder,
                                          faults::Acts acts = faults::always,
                                          unsigned axes = no_axis) {
  return faults::wrong<Queue>(id, idea, finder,
                              {.acts = acts, .axes = axes, .defaults = {}, .blocks = true});
}

constexpr std::array faulty_rungs{
    wrong("fault_drops_last", "drops the last element", miscounting<faults::all_but_the_last>),
    wrong("fault_adds_twice", "adds one element twice", faults::find_sum<Queue, AddsTwice>),
    wrong("fault_reads_past_end", "takes in the neighbour past the end",
          miscounting<faults::one_too_many>),
    wrong("fault_ignores_vector_tail", "ignores what is left over of whole 16-byte vectors",
          miscounting<faults::whole_vectors>, faults::leaves_a_rest),
    wrong("fault_fills_lanes_wrongly", "fills the last vector with another operation's identity",
          find<FillsLanesWrongly>, [](Type, std::size_t n, unsigned) { return n % 16 != 0; }),
    wrong("fault_returns_zero", "returns zero", find<ReturnsZero>),
    wrong("fault_ten_times", "returns ten times the result", find<TenTimes>),
    wrong("fault_missing_barrier", "reads a partial before it was written", find<MissingBarrier>,
          [](Type, std::size_t n, unsigned) { return n >= 8; }),
    wrong("fault_races", "c02 without its critical section", find<Races>, nullptr,
          workers_axis),  // cpu-tsan finds it
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Extra> extras = faults::extras_of<Queue>("cpu", faulty_rungs);
  extras.push_back(faults::alias<Queue>(cpu_ladder, table(), "c06", "alias_c06"));
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(make_backend(extras));
  return one;
}

}  // namespace ladder::cpu::faulty
