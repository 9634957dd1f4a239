// Kokkos::Experimental::reduce, modelled on the C++ standard's algorithm; it returns the result to
// the host, so it fences. It knows the identity element only for sums. For other functors it
// carries a flag per value, and up to 5.0.2 combines the values of idle threads as zeros: right on
// Serial, wrong elsewhere. Only sums are included.

#include <Kokkos_StdAlgorithms.hpp>

#include "common/problem.hpp"
#include "kokkos/kokkos_backend.hpp"
#include "kokkos/library/reducers.hpp"

namespace ladder::kokkos {
namespace {

template <class Case>
struct OnHost {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Carried<Case>;  // the element's width and bits
    queue.library(library_pass<Case>(queue, problem.n), [&]<class Space>(const Space& space) {
      const Kokkos::View<const A*, typename Space::memory_space,
                         Kokkos::MemoryTraits<Kokkos::Unmanaged>>
          x(reinterpret_cast<const A*>(problem.input), problem.n);
      *queue.host_result<A>() = Kokkos::Experimental::reduce("reduce", space, x, A{});
    });
  }
};

using Sums = Each<Operation::sum>::Over<Type::i32, Type::i64, Type::f32, Type::f64>;

}  // namespace

namespace library_reduce {
Run<Queue> find(Type type, Operation op) { return pick<Queue, OnHost>(Sums{}, type, op); }
}  // namespace library_reduce

}  // namespace ladder::kokkos
