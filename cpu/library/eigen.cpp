// Eigen's sums, products and extrema of an array, single-threaded: Eigen parallelizes matrix
// products, but no reductions.

#include <Eigen/Core>

#include "cpu/cpu_backend.hpp"

namespace ladder::cpu::eigen {
namespace {

using Carried = Each<Operation::sum, Operation::product, Operation::min,
                     Operation::max>::Over<Type::i32, Type::i64, Type::f32, Type::f64>;

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning&) {
    using Array = Eigen::Array<typename Case::element, Eigen::Dynamic, 1>;
    const Eigen::Map<const Array> x(problem.input, static_cast<Eigen::Index>(problem.n));
    if constexpr (Case::operation == Operation::sum) *problem.result = x.sum();
    if constexpr (Case::operation == Operation::product) *problem.result = x.prod();
    if constexpr (Case::operation == Operation::min) *problem.result = x.minCoeff();
    if constexpr (Case::operation == Operation::max) *problem.result = x.maxCoeff();
  }
};

}  // namespace

Fact fact() {
  return {"library Eigen",
          std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
              std::to_string(EIGEN_MINOR_VERSION) +
              ", vectors: " + Eigen::SimdInstructionSetsInUse(),
          "its headers"};
}

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Carried{}, type, operation);
}

}  // namespace ladder::cpu::eigen
