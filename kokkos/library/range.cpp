// parallel_reduce over RangePolicy, as on the first page of every Kokkos tutorial. With a scalar
// result it fences before it returns; with a View it only enqueues. Kokkos chooses the index type:
// 32-bit unsigned on a GPU up to 5.1. Signed indices let the compiler unroll the loop over a
// thread's elements; separate rungs use 32-bit (default on GPUs as of Kokkos 5.2) and 64-bit ones.

#include <limits>
#include <string>

#include "common/model/backend.hpp"
#include "common/problem.hpp"
#include "kokkos/kokkos_backend.hpp"
#include "kokkos/library/reducers.hpp"

namespace ladder::kokkos {
namespace {

template <class Case>
struct Join {
  using value_type = Carried<Case>;
  const typename Case::element* x;

  template <class I>
  KOKKOS_FUNCTION void operator()(I i, value_type& mine) const {
    join<Case>(mine, x[i]);
  }
};

template <class Policy, class Space>
Policy range(const Space& space, std::size_t n) {
  using I = typename Policy::index_type;
  if (n > static_cast<std::size_t>(std::numeric_limits<I>::max())) {
    throw NotPossible("Kokkos's index counts to " + std::to_string(std::numeric_limits<I>::max()) +
                      " on this space");
  }
  return Policy(space, 0, static_cast<I>(n));
}

template <class Space>
using Default = Kokkos::RangePolicy<Space>;
template <class Space>
using Signed = Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>;
template <class Space>
using Wide = Kokkos::RangePolicy<Space, Kokkos::IndexType<Index>>;

template <class Case>
struct IntoScalar {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Carried<Case>;
    queue.library(library_pass<Case>(queue, problem.n), [&]<class Space>(const Space& space) {
      Kokkos::parallel_reduce("range", range<Default<Space>>(space, problem.n),
                              Join<Case>{problem.input},
                              Reducer<Case, Kokkos::HostSpace>(*queue.host_result<A>()));
    });
  }
};

template <template <class> class Policy, class Case>
struct IntoResult {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Carried<Case>;
    queue.library(library_pass<Case>(queue, problem.n), [&]<class Space>(const Space& space) {
      using Memory = typename Space::memory_space;
      const Result<A, Memory> result(reinterpret_cast<A*>(problem.result));
      Kokkos::parallel_reduce("range", range<Policy<Space>>(space, problem.n),
                              Join<Case>{problem.input}, Reducer<Case, Memory>(result));
    });
  }
};

template <class Case>
using IntoView = IntoResult<Default, Case>;
template <class Case>
using IntoViewSigned = IntoResult<Signed, Case>;
template <class Case>
using IntoViewWide = IntoResult<Wide, Case>;

}  // namespace

namespace library_range {
Run<Queue> find(Type type, Operation op) { return pick<Queue, IntoScalar>(Reducible{}, type, op); }
}  // namespace library_range
namespace library_range_view {
Run<Queue> find(Type type, Operation op) { return pick<Queue, IntoView>(Reducible{}, type, op); }
}  // namespace library_range_view
namespace library_range_signed {
Run<Queue> find(Type type, Operation op) {
  return pick<Queue, IntoViewSigned>(Reducible{}, type, op);
}
}  // namespace library_range_signed
namespace library_range_wide {
Run<Queue> find(Type type, Operation op) {
  return pick<Queue, IntoViewWide>(Reducible{}, type, op);
}
}  // namespace library_range_wide

}  // namespace ladder::kokkos
