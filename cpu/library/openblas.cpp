// OpenBLAS's sums (the better-known cblas_sasum adds magnitudes). Single-threaded: OpenBLAS 0.3.21
// parallelizes dot products, but not these.

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <type_traits>

#include <cblas.h>

#include "cpu/cpu_backend.hpp"

namespace ladder::cpu::openblas {
namespace {

using Sums = decltype(Cases<Case<Type::f32, Operation::sum>>{} +
                      Cases<Case<Type::f64, Operation::sum>>{});

float sum_of(blasint n, const float* x) { return cblas_ssum(n, x, 1); }
double sum_of(blasint n, const double* x) { return cblas_dsum(n, x, 1); }

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning&) {
    // BLAS counts in int: longer arrays are split.
    constexpr std::size_t most = std::numeric_limits<blasint>::max() / 2 + 1;
    typename Case::accumulator sum = 0;
    for (std::size_t at = 0; at < problem.n; at += most) {
      sum += sum_of(static_cast<blasint>(std::min(most, problem.n - at)), problem.input + at);
    }
    *problem.result = sum;
  }
};

/// True if this machine's kernel is correct: 0.3.21's single-precision ones for SkylakeX and
/// Cooperlake fail from 16 elements of both signs on. Tests small integers, whose sum is exact in
/// any order.
template <class T>
bool adds_up() {
  std::array<T, 256> x{};
  T expected = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    if (sum_of(static_cast<blasint>(n), x.data()) != expected) return false;
    x[n] = static_cast<T>((n * 37) % 101) - T{50};
    expected += x[n];
  }
  return true;
}

}  // namespace

Fact fact() {
  const int threads = openblas_get_num_threads();
  return {"library OpenBLAS",
          openblas_get_config() + std::string(", ") + std::to_string(threads) +
              (threads == 1 ? " thread" : " threads, of which a sum uses one"),
          "openblas_get_config, openblas_get_num_threads"};
}

Run<Queue> find(Type type, Operation operation) {
  static const bool single = adds_up<float>(), twice = adds_up<double>();
  if (!(type == Type::f32 ? single : twice)) return nullptr;
  return pick<Queue, Launch>(Sums{}, type, operation);
}

}  // namespace ladder::cpu::openblas
