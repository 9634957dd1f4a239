// What Kokkos's r30 takes longer at small sizes than the native one, part by part: each variant is
// r30 on a GPU in all but one point (docs/kokkos.md says what was expected). Those whose tree a
// host's team can have too run there, the others are r30 there.

#include "tests/kokkos/small_sizes.hpp"

#include <array>

#include "kokkos/backend.hpp"
#include "kokkos/passes.hpp"

namespace ladder::kokkos {

namespace r30 {
Run<Queue> find(Type, Operation);
}

namespace faulty::small_sizes {
namespace {

/// For hosts alone (kokkos/queue.hpp), where its teams have a thread.
template <class Kernel>
struct OnHosts : Kernel {
  static constexpr unsigned resident = 0;
  Threads<0> block;
};

template <Form form>
struct Variant {
  template <class Case>
  struct Launch {
    using T = typename Case::element;
    using A = typename Case::accumulator;
    using Op = typename Case::function;

    static void run(Queue& queue, const View<Case>& problem,
                    [[maybe_unused]] const Tuning& tuning) {
      if constexpr (any_on_host && !on_hosts(form)) {
        const Problem same{problem.input, problem.n, Case::type, Case::operation, problem.result};
        if (queue.on_host()) return r30::find(Case::type, Case::operation)(queue, same, tuning);
      }
      const Choice choice = usual_choice(problem.n * sizeof(T));
      const T* const x = problem.input;
      reduce_detail::with_instance(choice, [&]<unsigned threads, unsigned vectors>() {
        if (reduce_detail::is_whole(x, problem.n, choice))
          launch<Reduce<form, T, Op, threads, vectors, true>>(queue, problem, choice);
        else
          launch<Reduce<form, T, Op, threads, vectors, false>>(queue, problem, choice);
      });
    }

    template <class Kernel>
    static void launch(Queue& queue, const View<Case>& problem, const Choice& choice) {
      const auto words = queue.words<A>(1);
      const Workspace workspace{words.at, words.count, queue.facts().units};
      const unsigned teams = reduce_detail::teams_of<const T*, A>(workspace, choice, problem.n);
      const Layout layout{.block = choice.block,
                          .items = width<T> * choice.vectors,
                          .grid = teams,
                          .shared = Kernel::scratch_bytes()};
      Pass pass = layout.pass<T, A>(problem.n);
      if (teams > 1) pass += Layout{.block = choice.block, .grid = 1}.pass<A, A>(teams);
      pass.depth += choice.block / lanes;  // a chain of warps, where Kokkos reduces over a team
      const Kernel kernel{{problem.input,
                           Given{static_cast<Index>(problem.n)},
                           workspace,
                           {},
                           problem.result,
                           {},
                           {}}};
      const Shape shape{teams, choice.block, Kernel::scratch_bytes()};
      if constexpr (form.plain) {
        queue.library(pass, [&](const auto& space) {
          launch_bare<Kernel::threads_known>(space, kernel, shape);
        });
      } else if (queue.on_host()) {
        if constexpr (on_hosts(form)) queue.launch(OnHosts<Kernel>{kernel, {}}, shape, pass);
      } else {
        queue.launch(kernel, shape, pass);
      }
    }
  };

  static Run<Queue> find(Type type, Operation op) {
    using Sums = Each<Operation::sum>::Over<Type::i32, Type::f32, Type::f64>;
    return pick<Queue, Launch>(Sums{}, type, op);
  }
};

template <Form form>
consteval Extra variant(std::string_view id, std::string_view idea) {
  const Rung rung{id, "", "r30", idea, "", no_axis};
  if constexpr (needs_cuda(form) && !natively) {
    return {rung, Entry{id, "has words of CUDA's"}, false};
  } else if constexpr (!on_hosts(form) && !any_on_gpu) {
    return {rung, Entry{id, "its threads are a GPU's"}, false};
  } else {
    return {rung, Entry{id, Variant<form>::find, Tuning{}}, false};
  }
}

// clang-format off
constexpr std::array all{
    variant<Form{.tree = Tree::steps}>("variant_small_steps", "r30, its tree with a barrier for each step"),
    variant<Form{.tree = Tree::team}>("variant_small_team", "r30, its tree by Kokkos's reduction over a team's threads"),
    variant<Form{.tree = Tree::lanes}>("variant_small_lanes", "r30, its tree by Kokkos's reduction over vector lanes"),
    variant<Form{.tree = Tree::told}>("variant_small_told", "variant_small_lanes, its compiler told that a thread of a team has 32 lanes"),
    variant<Form{.tree = Tree::shuffles}>("variant_small_shuffles", "r30, its tree by CUDA's shuffles as in the native r30"),
    variant<Form{.relaxed = true}>("variant_small_relaxed", "r30, its words by relaxed accesses of CUDA's in place of volatile ones"),
    variant<Form{.plain = true}>("variant_small_plain", "r30's functor launched by CUDA, in no frame of Kokkos's"),
    variant<Form{Tree::shuffles, true, true}>("variant_small_native", "variant_small_shuffles, _relaxed and _plain at once"),
};
// clang-format on

}  // namespace

std::span<const Extra> rungs() { return all; }

}  // namespace faulty::small_sizes
}  // namespace ladder::kokkos
