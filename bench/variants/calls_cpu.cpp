// The calls of calls.hpp by OpenMP, as its specification writes them: reductions of structs are
// declared.

#include <array>
#include <memory>
#include <vector>

#include "bench/variants/calls.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/cpu_queue.hpp"

namespace ladder::cpu::variants {
namespace {

using namespace calls;

#pragma omp declare reduction(together:Moments : omp_out += omp_in) initializer(omp_priv = {})
#pragma omp declare reduction(least:Element \
                              : omp_out = Least{}(omp_out, omp_in)) initializer(omp_priv = {})

template <class Case>
struct TwoArrays {
  static void run(Queue&, const View<Case>& problem, const Tuning& tuning) {
    const std::size_t n = half(problem.n);
    const float *const x = problem.input, *const y = problem.input + n;
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(static_cast <int>(tuning.workers))
    for (std::size_t i = 0; i < n; ++i) sum += x[i] + y[i];
    *problem.result = sum;
  }
};
template <class Case>
struct ArgMin {
  static void run(Queue&, const View<Case>& problem, const Tuning& tuning) {
    Element found;
#pragma omp parallel for reduction(least : found) num_threads(static_cast <int>(tuning.workers))
    for (std::size_t i = 0; i < problem.n; ++i)
      found = Least{}(found, Numbered{}(static_cast<std::int64_t>(i), problem.input[i]));
    *problem.result = found.value;
  }
};
template <class Case>
struct FourMoments {
  static void run(Queue&, const View<Case>& problem, const Tuning& tuning) {
    Moments sums{};
#pragma omp parallel for reduction(together : sums) num_threads(static_cast <int>(tuning.workers))
    for (std::size_t i = 0; i < problem.n; ++i) sums += Powers{}(problem.input[i]);
    *problem.result = sums.sums[0];
  }
};

template <template <class> class Launch, Operation operation>
consteval Extra call(std::string_view id, std::string_view idea) {
  return {Rung{id, "", "", idea, "a call", workers_axis},
          Entry{id, find<Queue, Launch, operation>, {}, true}, true};
}
constexpr auto sum = Operation::sum, min = Operation::min;
constexpr std::array all{
    call<TwoArrays, sum>("library_openmp_two_arrays", "parallel for simd reduction(+)"),
    call<ArgMin, min>("library_openmp_argmin", "a declared reduction of a value and its place"),
    call<FourMoments, sum>("library_openmp_moments", "a declared reduction of four sums"),
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(make_backend(all));
  return one;
}

}  // namespace ladder::cpu::variants
