// Lower bounds of r30: kernels that do but a part of a reduction (docs/tuned.md). Each is right
// only where the rest has nothing to add: one element, or zeros behind the first block's elements.

#include <array>
#include <bit>
#include <cstddef>

#include "bench/variants/variants.hpp"
#include "common/gpu/calling.hpp"

namespace ladder::cuda::variants {
namespace {

using Floats = Each<Operation::sum>::Over<Type::f32>;
using Several = Each<Operation::sum>::Over<Type::i8, Type::f16, Type::bf16, Type::f32>;

template <class T, class A>
__global__ void tell(const T* x, OnHost<A> place) {
  constexpr unsigned call = 1;
  reduce_detail::hand_over(place, A(*x), call);
}

/// One thread hands one element over to the host, which looks for it: a launch and a word's way.
/// Right for n = 1.
template <class Case, bool replayed>
struct Told {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = typename Case::accumulator;
    poll<A>(queue, [&](const OnHost<A>& place) {
      const Pass pass{sizeof(typename Case::element), sizeof(A), 0};
      if constexpr (replayed) {
        queue.replay(tell<typename Case::element, A>, Shape{}, pass, problem.input, place);
      } else {
        queue.launch(tell<typename Case::element, A>, Shape{}, pass, problem.input, place);
      }
    });
  }
};
template <class Case>
using Launched = Told<Case, false>;
template <class Case>
using Replayed = Told<Case, true>;

/// One element by the first of two blocks: it writes the result, or leaves a word that the other
/// one looks for and writes. What the second takes longer is a word's way through L2, there and
/// back: collecting cannot take less. Right for n = 1.
template <bool by_word, class T, class A>
__global__ void pass_on(const T* x, Workspace workspace, A* result) {
  namespace detail = reduce_detail;
  if (threadIdx.x != 0) return;
  if constexpr (by_word) {
    const auto call = static_cast<unsigned>(detail::get(workspace.words));
    if (blockIdx.x == 0) {
      detail::leave(workspace, 0, A(*x), call);
    } else {
      detail::Pieces<A> pieces;
      while (!detail::taken(detail::look<A>(workspace, 0), call, pieces)) {
      }
      *result = detail::joined<A>(pieces);
      detail::finish(workspace, call);
    }
  } else if (blockIdx.x == 0) {
    *result = A(*x);
  }
}

template <class Case, bool by_word>
struct PassedOn {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = typename Case::accumulator;
    queue.launch(pass_on<by_word, typename Case::element, A>, Shape{2, 32},
                 Pass{sizeof(typename Case::element), sizeof(A), 0}, problem.input,
                 workspace_of<A>(queue), problem.result);
  }
};
template <class Case>
using Written = PassedOn<Case, false>;
template <class Case>
using ByWord = PassedOn<Case, true>;

/// r30's blocks as far as each one's own result, which all leave and nobody collects; the first
/// hands over what it has. Right where all other blocks' elements are the identity.
template <unsigned block, unsigned vectors, class T, class Op, class To, class A>
__global__ void __launch_bounds__(block, reduce_detail::least_resident<block, vectors>)
    reduce_uncollected(const T* x, reduce_detail::Given count, Workspace workspace, To result,
                       Op op, A identity) {
  namespace detail = reduce_detail;
  constexpr bool alone = false;
  constexpr unsigned no_call = 0;  // so that no later call takes the words for its own
  constexpr unsigned call = 1;     // that the host looks for
  __shared__ A tile[detail::warps_of<block>];
  A mine = detail::share_of<block, vectors, alone>(x, count(), identity, op);
  mine = detail::reduce_block<block>(mine, identity, op, tile);
  if (threadIdx.x != 0) return;
  detail::leave(workspace, blockIdx.x, mine, no_call);
  if (blockIdx.x == 0) detail::hand_over(result, mine, call);
}

/// Puts these blocks onto the queue, by the instance of a choice; false where one block has all.
template <std::size_t i = 0, class Case, class To>
bool launch_uncollected(Queue& queue, const View<Case>& problem, const Choice& choice, To result) {
  if constexpr (i < sizeof instances / sizeof *instances) {
    constexpr auto known = instances[i];
    if constexpr (!known.alone) {
      if (choice.per_unit != Choice::alone && choice.block == known.block &&
          choice.vectors == known.vectors) {
        using T = Native<typename Case::element>;
        using A = Native<typename Case::accumulator>;
        using Op = Operator<Case>;
        const Workspace workspace = workspace_of<A>(queue);
        const unsigned blocks = reduce_detail::blocks_of<const T*, A>(workspace, choice, problem.n);
        const Layout layout{
            .block = known.block, .items = width<T> * known.vectors, .grid = blocks};
        queue.launch(reduce_uncollected<known.block, known.vectors, T, Op, To, A>,
                     Shape{blocks, known.block}, layout.pass<T, A>(problem.n),
                     reinterpret_cast<const T*>(problem.input),
                     reduce_detail::Given{static_cast<Index>(problem.n)}, workspace, result, Op{},
                     std::bit_cast<A>(Case::function::identity()));
        return true;
      }
    }
    return launch_uncollected<i + 1>(queue, problem, choice, result);
  } else {
    return false;
  }
}

template <class Case>
struct Uncollected {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using A = Native<typename Case::accumulator>;
    if (!launch_uncollected(queue, problem, choice_of<Case>(queue, problem),
                            reinterpret_cast<A*>(problem.result)))
      throw NotPossible("one block has all");
  }
};

/// The same, and the first block's word to the host, which looks for it; one element where one
/// block has all: what r30_polled cannot go below, size by size.
template <class Case>
struct UncollectedTold {
  static void run(Queue& queue, const View<Case>& problem, const Tuning& tuning) {
    const Choice choice = choice_of<Case>(queue, problem);
    if (choice.per_unit == Choice::alone) return Launched<Case>::run(queue, problem, tuning);
    poll<Native<typename Case::accumulator>>(
        queue, [&](const auto& place) { launch_uncollected(queue, problem, choice, place); });
  }
};

template <template <class> class Launch>
Run<Queue> find_for_floats(Type type, Operation operation) {
  return pick<Queue, Launch>(Floats{}, type, operation);
}
Run<Queue> find_uncollected(Type type, Operation operation) {
  return pick<Queue, Uncollected>(Several{}, type, operation);
}

consteval Extra for_the_host(std::string_view id, std::string_view idea,
                             Run<Queue> (*finder)(Type, Operation)) {
  return {Rung{id, "", "", idea, "an experiment"}, Entry{id, finder, Tuning{}, true}, false};
}

constexpr std::array all{
    for_the_host("limit_told", "one element, handed over to the host, which looks for it",
                 find_for_floats<Launched>),
    for_the_host("limit_told_graph", "the same, its launch replayed as a graph",
                 find_for_floats<Replayed>),
    for_the_host("limit_uncollected_told",
                 "r30's blocks, whose results nobody collects, and a word to the host from one",
                 find_for_floats<UncollectedTold>),
    variant("limit_uncollected", "r30's blocks, whose results nobody collects", find_uncollected),
    variant("limit_written", "one element, by one of two blocks", find_for_floats<Written>),
    variant("limit_word", "one element, by way of a word that the other block looks for",
            find_for_floats<ByWord>),
};

}  // namespace

std::span<const Extra> limits() { return all; }

}  // namespace ladder::cuda::variants
