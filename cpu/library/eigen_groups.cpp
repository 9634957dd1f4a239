// Eigen's partial reductions of a matrix of contiguous rows, rowwise() and colwise();
// single-threaded.

#include <Eigen/Core>

#include "cpu/cpu_backend.hpp"

namespace ladder::cpu {
namespace {

using Carried = Each<Operation::sum, Operation::min, Operation::max>::Over<Type::i32, Type::i64,
                                                                           Type::f32, Type::f64>;

/// Applies an operation to `rowwise()` or `colwise()` of an array.
template <Operation operation, class Partial>
auto reduced(const Partial& partial) {
  if constexpr (operation == Operation::sum) return partial.sum();
  if constexpr (operation == Operation::min) return partial.minCoeff();
  if constexpr (operation == Operation::max) return partial.maxCoeff();
}

/// Calls `f(x, result)` with a `rows` x `columns` matrix and a row of results.
template <class Case, class F>
void with_matrix(const View<Case>& problem, std::size_t rows, std::size_t columns, const F& f) {
  using T = typename Case::element;
  using Matrix = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Results = Eigen::Array<T, 1, Eigen::Dynamic>;
  const auto at = [](std::size_t n) { return static_cast<Eigen::Index>(n); };
  const Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::OuterStride<>> x(
      problem.input, at(rows), at(columns), Eigen::OuterStride<>(at(problem.groups.pitch)));
  f(x, Eigen::Map<Results>(problem.result, at(problem.groups.count)));
}

template <class Case>
struct Rows {
  static void run(Queue&, const View<Case>& problem, const Tuning&) {
    with_matrix(problem, problem.groups.count, problem.groups.length, [](const auto& x, auto to) {
      to = reduced<Case::operation>(x.rowwise()).transpose();
    });
  }
};

template <class Case>
struct Columns {
  static void run(Queue&, const View<Case>& problem, const Tuning&) {
    with_matrix(problem, problem.groups.length, problem.groups.count,
                [](const auto& x, auto to) { to = reduced<Case::operation>(x.colwise()); });
  }
};

}  // namespace

namespace eigen_rows {
Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Rows>(Carried{}, type, operation);
}
}  // namespace eigen_rows
namespace eigen_columns {
Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Columns>(Carried{}, type, operation);
}
}  // namespace eigen_columns

}  // namespace ladder::cpu
