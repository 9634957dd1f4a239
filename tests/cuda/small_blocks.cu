// What parts of r30 are worth: one block by the header's kernel for any input in place of that for
// whole vectors, and an input that is no pointer, which the header loads an element at a time
// (docs/tuned.md).

#include <array>
#include <bit>

#include "cuda/calling.hpp"
#include "tests/model/faulty.hpp"

namespace ladder::cuda::faulty::variants {
namespace {

template <class Case>
struct Any {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = Native<typename Case::element>;
    using A = Native<typename Case::accumulator>;
    using Op = Operator<Case>;
    const T* const x = reinterpret_cast<const T*>(problem.input);
    A* const result = reinterpret_cast<A*>(problem.result);
    const Choice choice = usual_choice(problem.n * sizeof(T), device_of(queue));
    if (choice.per_unit != Choice::alone) return call<Case>(queue, problem, choice, result);
    const Workspace workspace = workspace_of<A>(queue);
    const Layout layout{.block = choice.block, .items = width<T> * choice.vectors, .grid = 1};
    const bool whole = false;  // whatever the input is
    reduce_detail::with_instance<0, const T*, reduce_detail::Given, A*, A, Op>(
        choice, whole, [&](auto* kernel) {
          queue.launch(kernel, Shape{1, choice.block}, layout.pass<T, A>(problem.n), x,
                       reduce_detail::Given{static_cast<Index>(problem.n)}, workspace, result, Op{},
                       std::bit_cast<A>(Case::function::identity()));
        });
  }
};

/// Elements behind something else than a pointer.
template <class T>
struct Some {
  const T* x;
  __device__ T operator[](Index i) const { return x[i]; }
};

template <class Case>
struct Iterated {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = Native<typename Case::element>;
    using A = Native<typename Case::accumulator>;
    using Op = Operator<Case>;
    const Some<T> x{reinterpret_cast<const T*>(problem.input)};
    const reduce_detail::Given count{static_cast<Index>(problem.n)};
    const Choice choice = choice_of<Case>(queue, problem);
    const Workspace workspace = workspace_of<A>(queue);
    reduce_detail::with_kernel<Some<T>, reduce_detail::Given, A*, A, Op>(
        workspace, choice, x, count, problem.n, [&](auto* kernel, unsigned blocks) {
          const Layout layout{.block = choice.block, .items = choice.vectors, .grid = blocks};
          queue.launch(kernel, Shape{blocks, choice.block}, layout.pass<T, A>(problem.n), x, count,
                       workspace, reinterpret_cast<A*>(problem.result), Op{},
                       std::bit_cast<A>(Case::function::identity()));
        });
  }
};

Run<Queue> find_iterated(Type type, Operation operation) {
  using Cases = Each<Operation::sum>::Over<Type::i8, Type::f32, Type::f64>;
  return pick<Queue, Iterated>(Cases{}, type, operation);
}

Run<Queue> find_any(Type type, Operation operation) {
  using Cases = Each<Operation::sum, Operation::max>::Over<Type::i32, Type::f32, Type::f64>;
  return pick<Queue, Any>(Cases{}, type, operation);
}

constexpr std::array all{
    Extra{
        Rung{"variant_any", "", "", "r30's one block by its kernel for any input", "an experiment"},
        Entry{"variant_any", find_any}, false},
    Extra{Rung{"variant_iterator", "", "",
               "r30 of an input that is no pointer, loaded an element at a time", "an experiment"},
          Entry{"variant_iterator", find_iterated}, false},
};

}  // namespace

std::span<const Extra> of_one_block() { return all; }

}  // namespace ladder::cuda::faulty::variants
