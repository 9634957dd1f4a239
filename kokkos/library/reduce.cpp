// Kokkos::Experimental::reduce, of Kokkos's algorithms after the C++ standard's: the result on the
// host, so it fences. It knows the neutral element of a sum alone. With a functor of any other
// operation it carries a flag beside each value instead, and up to 5.0.2 joins the values of
// threads that had no element as if they were zeros: right on Serial, wrong wherever a thread is
// idle. A rung that is wrong is not carried.

#include <Kokkos_StdAlgorithms.hpp>

#include "common/problem.hpp"
#include "kokkos/kokkos_backend.hpp"
#include "kokkos/library/reducers.hpp"

namespace ladder::kokkos {
namespace {

template <class Case>
struct OnHost {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Carried<Case>;  // as wide as the element, and of its bits
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
