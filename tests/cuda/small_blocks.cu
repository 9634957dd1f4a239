// What r30's kernel for whole vectors of one block is worth: the same choice, by the header's
// kernel for any input (docs/tuned.md).

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

Run<Queue> find_any(Type type, Operation operation) {
  using Cases = Each<Operation::sum, Operation::max>::Over<Type::i32, Type::f32, Type::f64>;
  return pick<Queue, Any>(Cases{}, type, operation);
}

constexpr std::array all{
    Extra{
        Rung{"variant_any", "", "", "r30's one block by its kernel for any input", "an experiment"},
        Entry{"variant_any", find_any}, false},
};

}  // namespace

std::span<const Extra> of_one_block() { return all; }

}  // namespace ladder::cuda::faulty::variants
