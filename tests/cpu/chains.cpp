// What c05's one chain a worker costs, by a change of it alone: the same scalar additions in two
// and in four chains, each over a piece of the share of its own. c06 has vectors besides.

#include <array>
#include <cstddef>

#include "cpu/queue.hpp"
#include "cpu/shares.hpp"

namespace ladder::cpu::chains {
namespace {

template <class Case, std::size_t chains>
typename Case::accumulator fold(const typename Case::element* x, std::size_t n) {
  using Op = typename Case::function;
  using T = typename Case::accumulator;
  const std::size_t piece = n / chains;
  std::array<T, chains> values;
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

using Floats = Each<Operation::sum>::Over<Type::f32, Type::f64>;

}  // namespace

Run<Queue> find_two(Type type, Operation operation) {
  return pick<Queue, By<2>::Launch>(Floats{}, type, operation);
}
Run<Queue> find_four(Type type, Operation operation) {
  return pick<Queue, By<4>::Launch>(Floats{}, type, operation);
}

}  // namespace ladder::cpu::chains
