// The calls of calls.hpp by the header for Kokkos and by Kokkos's own reductions, as its
// documentation writes them: a lambda over two arrays, MinLoc, and a reducer of a struct.

#include <array>
#include <memory>
#include <vector>

#include "bench/variants/calls.hpp"
#include "kokkos/kokkos_backend.hpp"
#include "kokkos/library/reducers.hpp"
#include "ladder/kokkos/reduce.hpp"

template <>
struct Kokkos::reduction_identity<ladder::calls::Moments> {
  KOKKOS_FUNCTION static ladder::calls::Moments sum() { return {}; }
};

namespace ladder::kokkos::variants {
namespace {

using namespace calls;

/// Made when it is first asked for, and given back before Kokkos ends.
template <class Space>
const Workspace& workspace_on(const Space& space) {
  static Kokkos::View<std::uint64_t*, typename Space::memory_space> memory;
  static Workspace workspace;
  if (!memory.is_allocated()) {
    memory = decltype(memory)("workspace", workspace_words(space));
    Kokkos::push_finalize_hook([] { memory = {}; });
    if (!make_workspace(&workspace, space, memory)) throw std::logic_error("no workspace");
  }
  return workspace;
}

/// The header's call with these arguments on the queue's space.
template <class Case, class A, class In, class Op>
void by_header(Queue& queue, const View<Case>& problem, In x, std::size_t n, Op op, A identity) {
  queue.library(library_pass<Case>(queue, problem.n), [&]<class Space>(const Space& space) {
    auto* const result = reinterpret_cast<A*>(problem.result);
    if (!reduce(space, workspace_on(space), x, n, result, op, identity))
      throw std::logic_error("the header refuses its input");
  });
}

template <class Case>
struct TwoArrays {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const std::size_t n = half(problem.n);
    by_header(queue, problem, transform(Added{}, problem.input, problem.input + n), n, Sum{}, 0.0F);
  }
};
template <class Case>
struct ArgMin {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    by_header(queue, problem, transform_indexed(Numbered{}, problem.input), problem.n, Least{},
              Element{});
  }
};
template <class Case>
struct FourMoments {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    by_header(queue, problem, transform(Powers{}, problem.input), problem.n, Together{}, Moments{});
  }
};

/// What a lambda would be: of a member function of a class nvcc takes none.
struct AddPairs {
  const float *x, *y;
  KOKKOS_FUNCTION void operator()(Index i, float& sum) const { sum += x[i] + y[i]; }
};
template <class Reducer>
struct FindLeast {
  const float* x;
  KOKKOS_FUNCTION void operator()(Index i, typename Reducer::value_type& least) const {
    if (x[i] < least.val || (x[i] == least.val && i < least.loc)) least = {x[i], i};
  }
};
struct AddPowers {
  const float* x;
  KOKKOS_FUNCTION void operator()(Index i, Moments& sums) const { sums += Powers{}(x[i]); }
};

template <class Case>
struct KokkosTwoArrays {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const std::size_t n = half(problem.n);
    queue.library(library_pass<Case>(queue, problem.n), [&]<class Space>(const Space& space) {
      using Memory = typename Space::memory_space;
      Kokkos::parallel_reduce("two arrays", Kokkos::RangePolicy<Space>(space, 0, n),
                              AddPairs{problem.input, problem.input + n},
                              Kokkos::Sum<float, Memory>(Result<float, Memory>(problem.result)));
    });
  }
};
template <class Case>
struct KokkosMinLoc {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    queue.library(library_pass<Case>(queue, problem.n), [&]<class Space>(const Space& space) {
      using Reducer = Kokkos::MinLoc<float, Index, typename Space::memory_space>;
      using Found = typename Reducer::value_type;
      const typename Reducer::result_view_type result(reinterpret_cast<Found*>(problem.result));
      Kokkos::parallel_reduce("MinLoc", Kokkos::RangePolicy<Space>(space, 0, problem.n),
                              FindLeast<Reducer>{problem.input}, Reducer(result));
    });
  }
};
template <class Case>
struct KokkosMoments {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    queue.library(library_pass<Case>(queue, problem.n), [&]<class Space>(const Space& space) {
      using Memory = typename Space::memory_space;
      const Result<Moments, Memory> result(reinterpret_cast<Moments*>(problem.result));
      Kokkos::parallel_reduce("moments", Kokkos::RangePolicy<Space>(space, 0, problem.n),
                              AddPowers{problem.input}, Kokkos::Sum<Moments, Memory>(result));
    });
  }
};

template <template <class> class Launch, Operation operation>
consteval Extra call(std::string_view id, std::string_view idea) {
  return {Rung{id, "", "", idea, "a call"}, Entry{id, find<Queue, Launch, operation>}, false};
}
constexpr auto sum = Operation::sum, min = Operation::min;
constexpr std::array all{
    call<TwoArrays, sum>("call_two_arrays", "the header's transform of two arrays"),
    call<ArgMin, min>("call_argmin", "the header's transform_indexed, the least and its place"),
    call<FourMoments, sum>("call_moments", "the header's transform to four powers"),
    call<KokkosTwoArrays, sum>("library_two_arrays", "parallel_reduce over two arrays"),
    call<KokkosMinLoc, min>("library_min_loc", "parallel_reduce into MinLoc"),
    call<KokkosMoments, sum>("library_struct", "parallel_reduce into a struct by Sum"),
};

}  // namespace

std::vector<std::unique_ptr<Backend>> backends() { return make_backends(all); }

}  // namespace ladder::kokkos::variants
