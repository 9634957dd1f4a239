// r30 tuned: the fastest known Kokkos reduction by size, type and space; this file only launches
// include/ladder/kokkos/reduce.hpp, the header that other code calls. It uses no Kokkos reduction
// over the array. On a GPU it is r31 without the overhead of portable loops. A thread acts by its
// team rank, has several loads in flight, and a single team stores no word. The team's tree runs in
// shared memory, because Kokkos's tree over vector lanes tests the active lanes before each step.
// The number of bytes determines teams, threads and loads. On a host each thread takes one
// contiguous share, in independent chains that the compiler vectorizes. Of a large input it takes
// pieces, and then other threads' remaining pieces.

#include "common/gpu/vector.hpp"
#include "kokkos/kokkos_passes.hpp"
#include "kokkos/native.hpp"
#include "ladder/kokkos/reduce.hpp"

namespace ladder::kokkos::r30 {
namespace {

/// Maximum for a workspace of default size with 16 threads and 8-byte values.
constexpr std::size_t pieces_of_a_share = 128;

template <class Case>
struct Launch {
  using T = typename Case::element;
  using A = typename Case::accumulator;
  using Op = typename Case::function;
  using Given = reduce_detail::Given;

  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    if constexpr (any_on_host) {
      if (queue.on_host()) return on_host(queue, problem);
    }
    if constexpr (any_on_gpu) on_gpu(queue, problem);
  }

  static void on_gpu(Queue& queue, const View<Case>& problem) {
    using Element = Native<T>;
    using Value = Native<A>;
    const Choice choice = usual_choice(problem.n * sizeof(T));
    const auto words = queue.words<A>(1);
    const Workspace workspace{words.at, words.count, queue.facts().units};
    const unsigned teams =
        reduce_detail::teams_of<const Element*, Value>(workspace, choice, problem.n);
    const auto* const x = reinterpret_cast<const Element*>(problem.input);
    reduce_detail::with_kernel<Given, Value, Operator<Case>, Identity<Op, Value>>(
        choice, x, problem.n, [&]<class Kernel>() {
          const Layout layout{.block = choice.block,
                              .items = width<T> * choice.vectors,
                              .grid = teams,
                              .shared = Kernel::scratch_bytes()};
          Pass pass = layout.pass<T, A>(problem.n);
          if (teams > 1) pass += Layout{.block = choice.block, .grid = 1}.pass<A, A>(teams);
          const Given count{static_cast<Index>(problem.n)};
          queue.launch(
              Kernel{x, count, workspace, {}, reinterpret_cast<Value*>(problem.result), {}, {}},
              Shape{teams, choice.block, Kernel::scratch_bytes()}, pass);
        });
  }

  static void on_host(Queue& queue, const View<Case>& problem) {
    const std::size_t threads = queue.concurrency(), room = threads * pieces_of_a_share;
    const std::size_t teams = reduce_detail::teams_on_host(problem.n * sizeof(T), threads, room);
    constexpr bool least = Op::kind == Operation::min, greatest = Op::kind == Operation::max;
    using HeadersOwn = std::conditional_t<least, Minimum, Maximum>;
    using HostOp =
        std::conditional_t<std::is_floating_point_v<A> && (least || greatest), HeadersOwn, Op>;
    using Kernel = reduce_detail::InShares<const T*, Given, A, HostOp, Identity<Op>>;
    const Kernel kernel{problem.input,
                        Given{static_cast<Index>(problem.n)},
                        queue.scratch<A>(teams),
                        queue.ticket(),
                        problem.result,
                        {},
                        {}};
    const Shape shape{teams, 1, 0};
    const std::size_t share = ceil_div(problem.n, teams * 128);
    const Pass pass{.read_bytes = problem.n * sizeof(T) + teams * sizeof(A),
                    .written_bytes = (teams + 1) * sizeof(A),
                    .depth = share + 4 + 32 + 128 + teams};
    if (teams == threads) {
      queue.launch(OnHosts<Kernel>{kernel}, shape, pass);
    } else {
      queue.launch(OnHosts<Kernel, true>{kernel}, shape, pass);
    }
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::kokkos::r30
