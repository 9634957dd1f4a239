// parallel_reduce over RangePolicy: what the first page of every Kokkos tutorial shows. Into a
// scalar it fences before it returns; into a View it only enqueues.

#include "common/problem.hpp"
#include "kokkos/library/reducers.hpp"
#include "kokkos/table.hpp"

namespace ladder::kokkos {
namespace {

template <class Case>
struct Join {
  const typename Case::element* x;
  KOKKOS_FUNCTION void operator()(Index i, Carried<Case>& mine) const { join<Case>(mine, x[i]); }
};

template <class Case, class Space>
auto range(const Space& space, std::size_t n) {
  return Kokkos::RangePolicy<Space, Kokkos::IndexType<Index>>(space, 0, static_cast<Index>(n));
}

template <class Case>
struct IntoScalar {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Carried<Case>;
    queue.library(library_pass<Case>(queue, problem.n), [&](const auto& space) {
      Kokkos::parallel_reduce("range", range<Case>(space, problem.n), Join<Case>{problem.input},
                              Reducer<Case, Kokkos::HostSpace>(*queue.host_result<A>()));
    });
  }
};

template <class Case>
struct IntoView {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Carried<Case>;
    queue.library(library_pass<Case>(queue, problem.n), [&]<class Space>(const Space& space) {
      using Memory = typename Space::memory_space;
      const Result<A, Memory> result(reinterpret_cast<A*>(problem.result));
      Kokkos::parallel_reduce("range", range<Case>(space, problem.n), Join<Case>{problem.input},
                              Reducer<Case, Memory>(result));
    });
  }
};

}  // namespace

Run<Queue> library_range::find(Type type, Operation op) {
  return pick<Queue, IntoScalar>(Reducible{}, type, op);
}
Run<Queue> library_range_view::find(Type type, Operation op) {
  return pick<Queue, IntoView>(Reducible{}, type, op);
}

}  // namespace ladder::kokkos
