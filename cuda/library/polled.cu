// r30_polled: r30's kernels with a result that the host needs. They write it into the host's memory
// themselves, beside the number of the call, and the host looks there until it has come: no copy
// and no synchronization, which take longer than a small reduction.

#include "cuda/passes.hpp"
#include "cuda/vector.hpp"
#include "ladder/cuda/reduce.hpp"

namespace ladder::cuda::r30_polled {
namespace {

/// Until the result is there. A launch that fails gives none, so the stream is asked now and then.
template <class A>
A wait(const Queue& queue, const OnHost<A>& place) {
  constexpr unsigned seldom = 1U << 16;
  for (unsigned looks = 1; !place.ready(); ++looks) {
    if (looks % seldom != 0) continue;
    const cudaError_t code = cudaStreamQuery(queue.stream());
    if (code != cudaErrorNotReady) Runtime::check(code);
  }
  return place.wait();
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Case::element;
    using A = typename Case::accumulator;
    using Op = typename Case::function;
    const Words words = queue.words<A>(1);
    const Workspace workspace{words.at, words.count, queue.facts().units};
    const Choice choice = usual_choice(problem.n * sizeof(T));
    // Behind the result that the harness reads, and before the identity.
    const OnHost<A> place{queue.host_result<std::uint64_t>() + 4};
    if (!queue.tracing()) place.clear();
    reduce_detail::with_kernel<const T*, reduce_detail::Given, OnHost<A>, A, Op>(
        workspace, choice, problem.n, [&](auto* kernel, unsigned blocks) {
          const Layout layout{
              .block = choice.block, .items = width<T> * choice.vectors, .grid = blocks};
          Pass pass = layout.pass<T, A>(problem.n);
          if (blocks > 1) pass += Layout{.block = choice.block, .grid = 1}.pass<A, A>(blocks);
          const reduce_detail::Given count{static_cast<Index>(problem.n)};
          queue.launch(kernel, Shape{blocks, choice.block}, pass, problem.input, count, workspace,
                       place, Op{}, Op::identity());
        });
    if (!queue.tracing()) *queue.host_result<A>() = wait(queue, place);
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::cuda::r30_polled
