// What r30 cannot go below: kernels that do but a part of what a reduction has to, measured beside
// it (docs/tuned.md says what came of it).

#include <array>

#include "cuda/calling.hpp"
#include "tests/model/faulty.hpp"

namespace ladder::cuda::faulty::limits {
namespace {

using Floats = Each<Operation::sum>::Over<Type::f32>;

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

/// r30's blocks as far as each one's own result, which all leave and nobody collects; the first
/// hands over what it has. Right where all other blocks' elements are the identity.
template <unsigned block, unsigned vectors, class T, class Op, class A>
__global__ void __launch_bounds__(block, reduce_detail::least_resident<block, vectors>)
    reduce_uncollected(const T* x, reduce_detail::Given count, Workspace workspace, A* result,
                       Op op, A identity) {
  namespace detail = reduce_detail;
  constexpr bool alone = false;
  constexpr unsigned no_call = 0;  // so that no later call takes the words for its own
  __shared__ A tile[detail::warps_of<block>];
  A mine = detail::share_of<block, vectors, alone>(x, count(), identity, op);
  mine = detail::reduce_block<block>(mine, identity, op, tile);
  if (threadIdx.x != 0) return;
  detail::leave(workspace, blockIdx.x, mine, no_call);
  if (blockIdx.x == 0) detail::hand_over(result, mine, no_call);
}

template <class Case>
struct Uncollected {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const Choice choice = choice_of<Case>(queue, problem);
    if (!try_blocks<256, 1>(queue, problem, choice) &&
        !try_blocks<512, 2>(queue, problem, choice) &&
        !try_blocks<512, 4>(queue, problem, choice) && !try_blocks<1024, 4>(queue, problem, choice))
      throw NotPossible("one block has all");
  }

 private:
  template <unsigned block, unsigned vectors>
  static bool try_blocks(Queue& queue, const View<Case>& problem, const Choice& choice) {
    using T = typename Case::element;
    using A = typename Case::accumulator;
    using Op = typename Case::function;
    if (choice.block != block || choice.vectors != vectors || choice.per_unit == Choice::alone)
      return false;
    const Workspace workspace = workspace_of<A>(queue);
    const unsigned blocks = reduce_detail::blocks_of<const T*, A>(workspace, choice, problem.n);
    const Layout layout{.block = block, .items = width<T> * vectors, .grid = blocks};
    queue.launch(reduce_uncollected<block, vectors, T, Op, A>, Shape{blocks, block},
                 layout.pass<T, A>(problem.n), problem.input,
                 reduce_detail::Given{static_cast<Index>(problem.n)}, workspace, problem.result,
                 Op{}, Op::identity());
    return true;
  }
};

template <template <class> class Launch>
Run<Queue> find_for_floats(Type type, Operation operation) {
  return pick<Queue, Launch>(Floats{}, type, operation);
}

consteval Extra limit(std::string_view id, std::string_view idea,
                      Run<Queue> (*finder)(Type, Operation), bool on_host) {
  return {Rung{id, "", "", idea, "an experiment"}, Entry{id, finder, Tuning{}, on_host}, false};
}

constexpr std::array all{
    limit("limit_told", "one element, handed over to the host, which looks for it",
          find_for_floats<Launched>, true),
    limit("limit_told_graph", "the same, its launch replayed as a graph", find_for_floats<Replayed>,
          true),
    limit("limit_uncollected", "r30's blocks, whose results nobody collects",
          find_for_floats<Uncollected>, false),
};

constexpr bool of_many(Type, std::size_t n, unsigned) { return n > 1; }

constexpr std::array known{
    faults::Fault{"limit_told", of_many, faults::last, false, true},
    faults::Fault{"limit_told_graph", of_many, faults::last, false, true},
    faults::Fault{"limit_uncollected",
                  [](Type type, std::size_t n, unsigned) {
                    const Choice choice = usual_choice(n * facts(type).bytes);
                    return choice.per_unit != Choice::alone;
                  },
                  faults::last, false, true},
};

}  // namespace

std::span<const Extra> rungs() { return all; }
std::span<const faults::Fault> faults() { return known; }

}  // namespace ladder::cuda::faulty::limits
