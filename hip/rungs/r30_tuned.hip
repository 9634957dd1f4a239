// r30 tuned: the best that was found for every size, type and operation, as one calls it from other
// code: this file only launches include/ladder/hip/reduce.hpp. Small inputs go to one block, which
// has no one to wait for; the others to r31's words, in larger blocks the more there is to read,
// and as long as it pays in as many as it takes for each thread to load once. What was tried is in
// docs/tuned.md.

#include <string>

#include "hip/passes.hpp"
#include "hip/vector.hpp"
#include "ladder/hip/reduce.hpp"

namespace ladder::hip::r30 {
namespace {

/// The operation as the GPU has it: minimum and maximum of floats are one instruction there.
template <class Case>
using Native = std::conditional_t<
    Case::type == Type::f32 && Case::operation == Operation::min, Minimum,
    std::conditional_t<Case::type == Type::f32 && Case::operation == Operation::max, Maximum,
                       typename Case::function>>;

/// What somebody has found out to be the best on this device, else the header's rule.
Choice choice_of(const Queue& queue, Type type, Operation operation, std::size_t bytes) {
  const auto* line = queue.tuned().find(type, operation, bytes);
  if (line == nullptr) return usual_choice(bytes);
  return {line->block, line->vectors, line->per_unit};
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    using A = typename Case::accumulator;
    using Op = Native<Case>;
    const Words words = queue.words<A>(1);
    const Workspace workspace{words.at, words.count, queue.facts().units};
    const Choice choice = choice_of(queue, Case::type, Case::operation, problem.n * sizeof(T));
    const bool known = reduce_detail::with_kernel<const T*, reduce_detail::Given, A*, A, Op>(
        workspace, choice, problem.n, [&](auto* kernel, unsigned blocks) {
          const Layout layout{
              .block = choice.block, .items = width<T> * choice.vectors, .grid = blocks};
          Pass pass = layout.pass<T, A>(problem.n);
          if (blocks > 1) pass += Layout{.block = choice.block, .grid = 1}.pass<A, A>(blocks);
          const reduce_detail::Given count{static_cast<Index>(problem.n)};
          queue.launch(kernel, Shape{blocks, choice.block}, pass, problem.input, count, workspace,
                       problem.result, Op{}, Case::function::identity());
        });
    if (!known) {
      throw NotPossible("no kernel of blocks of " + std::to_string(choice.block) +
                        " threads with " + std::to_string(choice.vectors) +
                        " vectors, which the tuning asks for");
    }
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::hip::r30
