// Cost of c05's one chain a worker (docs/cpu.md): the same scalar additions in two and in four
// chains, each over a piece of the share of its own. c06 has vectors besides.

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include "cpu/cpu_backend.hpp"
#include "cpu/cpu_queue.hpp"
#include "cpu/cpu_shares.hpp"

namespace ladder::cpu::variants {

/// calls_cpu.cpp
std::span<const Extra> calls_of_openmp();

namespace {

template <class Case, std::size_t chains>
typename Case::accumulator fold(const typename Case::element* x, std::size_t n) {
  using Op = typename Case::function;
  using T = typename Case::accumulator;
  const std::size_t piece = n / chains;
  std::array<T, chains> values{};
  values.fill(Op::identity());
  for (std::size_t i = 0; i < piece; ++i) {
    for (std::size_t k = 0; k < chains; ++k) values[k] = Op{}(values[k], T(x[i + k * piece]));
  }
  T value = Op::identity();
  for (const T one : values) value = Op{}(value, one);
  for (std::size_t i = chains * piece; i < n; ++i) value = Op{}(value, T(x[i]));
  return value;
}

template <std::size_t chains>
struct By {
  template <class Case>
  struct Launch {
    static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
      using Op = typename Case::function;
      auto* partials = queue.partials<typename Case::accumulator>();
      const auto* x = problem.input;
      in_shares(problem.n, tuning.workers, [&](std::size_t me, std::size_t i, std::size_t count) {
        partials[me].value = fold<Case, chains>(x + i, count);
      });
      auto value = Op::identity();
      for (unsigned i = 0; i < tuning.workers; ++i) value = Op{}(value, partials[i].value);
      *problem.result = value;
    }
  };
};

template <std::size_t chains>
Run<Queue> find_by(Type type, Operation operation) {
  using Floats = Each<Operation::sum>::Over<Type::f32, Type::f64>;
  return pick<Queue, By<chains>::template Launch>(Floats{}, type, operation);
}

constexpr std::array all{
    Extra{Rung{"variant_two_chains", "", "c05", "c05 in two chains a worker", "", workers_axis},
          Entry{"variant_two_chains", find_by<2>, {}, true}, false},
    Extra{Rung{"variant_four_chains", "", "c05", "c05 in four chains a worker", "", workers_axis},
          Entry{"variant_four_chains", find_by<4>, {}, true}, false},
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<Extra> every(all.begin(), all.end());
  std::ranges::copy(calls_of_openmp(), std::back_inserter(every));
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(make_backend(every));
  return one;
}

}  // namespace ladder::cpu::variants
