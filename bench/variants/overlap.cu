// Calls of the header that overlap with the kernel before them on the stream, for chains of calls
// (--scope=chain); beside r30, which does not, and the libraries. The harness calls each on the
// same input, which no kernel writes.

#include <array>
#include <bit>

#include "bench/variants/variants.hpp"
#include "common/gpu/calling.hpp"

namespace ladder::cuda::variants {
namespace {

template <class Case, Overlap overlap>
struct Overlapping {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = Native<typename Case::element>;
    using A = Native<typename Case::accumulator>;
    const Workspace workspace = workspace_of<A>(queue);
    queue.library<T, A>(problem.n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
      bytes = 0;
      if (temporary == nullptr) return cudaSuccess;
      return reduce<overlap>(workspace, reinterpret_cast<const T*>(problem.input), problem.n,
                             reinterpret_cast<A*>(problem.result), Operator<Case>{},
                             std::bit_cast<A>(Case::function::identity()), stream);
    });
  }
};
template <class Case>
using None = Overlapping<Case, Overlap::none>;
template <class Case>
using AfterPrevious = Overlapping<Case, Overlap::after_previous>;
template <class Case>
using InputReady = Overlapping<Case, Overlap::input_ready>;

template <template <class> class Launch>
Run<Queue> find(Type type, Operation operation) {
  return pick<Queue, Launch>(Each<Operation::sum>::Over<Type::f32>{}, type, operation);
}

constexpr std::array all{
    variant("overlap_none", "the header's call, which starts when all before it is complete",
            find<None>),
    variant("overlap_after_previous", "the call is launched while the kernel before it runs",
            find<AfterPrevious>),
    variant("overlap_input_ready", "and loads its input while that kernel runs", find<InputReady>),
};

}  // namespace

std::span<const Extra> overlaps() { return all; }

}  // namespace ladder::cuda::variants
