// The sums of OpenBLAS (cblas_sasum and its kin, better known, add magnitudes). One thread: as of
// 0.3.21 OpenBLAS shares its dot products among threads, but not these.

#include <algorithm>
#include <limits>
#include <type_traits>

#include <cblas.h>

#include "cpu/table.hpp"

namespace ladder::cpu::openblas {
namespace {

using Sums = decltype(Cases<Case<Type::f32, Operation::sum>>{} +
                      Cases<Case<Type::f64, Operation::sum>>{});

template <class Case>
struct Launch {
  static void run(Queue&, const View<Case>& problem, const Tuning&) {
    // BLAS counts in int: longer arrays go in pieces.
    constexpr std::size_t most = std::numeric_limits<blasint>::max() / 2 + 1;
    typename Case::accumulator sum = 0;
    for (std::size_t at = 0; at < problem.n; at += most) {
      const auto count = static_cast<blasint>(std::min(most, problem.n - at));
      if constexpr (std::is_same_v<typename Case::element, float>) {
        sum += cblas_ssum(count, problem.input + at, 1);
      } else {
        sum += cblas_dsum(count, problem.input + at, 1);
      }
    }
    *problem.result = sum;
  }
};

}  // namespace

Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Sums{}, type, operation);
}

}  // namespace ladder::cpu::openblas
