// r30 tuned: the best that was found for every size, type and operation, as one calls it from other
// code: this file only launches include/ladder/cuda/reduce.hpp. Small inputs go to one block, which
// has no one to wait for; the others to r31's words, in larger blocks the more there is to read,
// and as long as it pays in as many as it takes for each thread to load once. What was tried is in
// docs/tuned.md.

#include <bit>
#include <string>

#include "cuda/passes.hpp"
#include "cuda/vector.hpp"
#include "ladder/cuda/reduce.hpp"

namespace ladder::cuda::r30 {
namespace {

// Types of 16 bits, and minimum and maximum of everything that floats, as the GPU has them.

template <class T>
struct As {
  using type = T;
};
template <>
struct As<Half> {
  using type = __half;
};
template <>
struct As<Bfloat16> {
  using type = __nv_bfloat16;
};
template <class T>
using Native = typename As<T>::type;

template <class Case>
inline constexpr bool is_extreme = (Case::operation == Operation::min ||
                                    Case::operation == Operation::max) &&
                                   (Case::type == Type::f32 || Case::type == Type::f16 ||
                                    Case::type == Type::bf16);
template <class Case>
using Operator =
    std::conditional_t<is_extreme<Case>,
                       std::conditional_t<Case::operation == Operation::min, Minimum, Maximum>,
                       typename Case::function>;

/// What somebody has found out to be the best on this device, else the header's rule.
Choice choice_of(const Queue& queue, Type type, Operation operation, std::size_t bytes) {
  const auto* line = queue.tuned().find(type, operation, bytes);
  if (line == nullptr) return usual_choice(bytes);
  return {line->block, line->vectors, line->per_unit};
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = Native<typename Case::element>;
    using A = Native<typename Case::accumulator>;
    using Op = Operator<Case>;
    const T* const input = reinterpret_cast<const T*>(problem.input);
    A* const result = reinterpret_cast<A*>(problem.result);
    const A identity = std::bit_cast<A>(Case::function::identity());
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
          queue.launch(kernel, Shape{blocks, choice.block}, pass, input, count, workspace, result,
                       Op{}, identity);
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

}  // namespace ladder::cuda::r30
