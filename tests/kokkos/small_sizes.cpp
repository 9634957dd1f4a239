// What Kokkos's r30 takes longer at small sizes than the native one, part by part: each variant is
// r30 on a GPU in all but one point (docs/kokkos.md says what was expected). Those whose tree is in
// team scratch run on hosts too, the others are r30 there.

#include "tests/kokkos/small_sizes.hpp"

#include <array>
#include <iterator>

#include "kokkos/backend.hpp"
#include "kokkos/passes.hpp"
#include "ladder/cuda/choice.hpp"

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

/// What r30 chooses, or what the native one does.
Choice choice_of(const Form& form, std::size_t bytes) {
  if (!form.native) return usual_choice(bytes);
  const auto chosen = cuda::usual_choice(bytes);
  return {chosen.block, chosen.vectors, chosen.per_unit};
}

/// Calls `f.template operator()<block, vectors>()` with those of the choice.
template <Form form, std::size_t i = 0, class F>
void with_instance(const Choice& choice, const F& f) {
  if constexpr (!form.native) {
    reduce_detail::with_instance(choice, f);
  } else if constexpr (i < std::size(cuda::instances)) {
    constexpr auto known = cuda::instances[i];
    if (known.block != choice.block || known.vectors != choice.vectors)
      return with_instance<form, i + 1>(choice, f);
    f.template operator()<known.block, known.vectors>();
  }
}

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
      const Choice choice = choice_of(form, problem.n * sizeof(T));
      with_instance<form>(choice, [&]<unsigned threads, unsigned vectors>() {
        constexpr Form any{form.tree, false, form.relaxed, form.plain, form.native};
        const bool whole = form.whole && choice.per_unit == Choice::alone &&
                           problem.n % width<T> == 0 &&
                           problem.n <= std::size_t{threads} * vectors * width<T> &&
                           reinterpret_cast<std::uintptr_t>(problem.input) % sizeof(Vector<T>) == 0;
        if (form.whole && whole)
          launch<Reduce<form, T, Op, threads, vectors>>(queue, problem, choice);
        else
          launch<Reduce<any, T, Op, threads, vectors>>(queue, problem, choice);
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
    variant<Form{.tree = Tree::told}>("variant_small_told", "r30, its compiler told that a thread of a team has 32 lanes"),
    variant<Form{.tree = Tree::shuffles}>("variant_small_shuffles", "r30, its tree by CUDA's shuffles as in the native r30"),
    variant<Form{.tree = Tree::steps}>("variant_small_steps", "r30, its tree in team scratch, with a barrier for each step"),
    variant<Form{.tree = Tree::folds}>("variant_small_folds", "r30, its tree in team scratch: 32 threads add up, then one"),
    variant<Form{.tree = Tree::team}>("variant_small_team", "r30, its tree by Kokkos's reduction over a team's threads"),
    variant<Form{.whole = true}>("variant_small_whole", "r30, a team alone with whole vectors by a kernel of its own, as the native r30"),
    variant<Form{.relaxed = true}>("variant_small_relaxed", "r30, its words by relaxed accesses of CUDA's in place of volatile ones"),
    variant<Form{.plain = true}>("variant_small_plain", "r30's functor launched by CUDA, in no frame of Kokkos's"),
    variant<Form{.native = true}>("variant_small_choice", "r30 in the native r30's blocks"),
    variant<Form{.tree = Tree::folds, .whole = true, .native = true}>("variant_small_sayable", "variant_small_folds, _whole and _choice at once: all in Kokkos's words"),
    variant<Form{Tree::shuffles, true, true, true, true}>("variant_small_native", "variant_small_shuffles, _whole, _relaxed, _plain and _choice at once"),
};
// clang-format on

}  // namespace

std::span<const Extra> rungs() { return all; }

}  // namespace faulty::small_sizes
}  // namespace ladder::kokkos
