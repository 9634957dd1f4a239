// ladder_variants: the CUDA backend plus rungs for each degree of overlap between the header's call
// and the preceding kernel (docs/calling.md). tools/measure_set.py runs it in its part `overlap`.

#include <array>
#include <bit>

#include "common/gpu/calling.hpp"
#include "common/gpu/rungs.hpp"

namespace ladder::cuda {
namespace {

/// For chains of calls (--scope=chain): the call may start before the preceding kernel ends. No
/// kernel writes the input.
template <Overlap overlap>
struct Overlapping {
  template <class Case>
  struct Launch {
    static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
      using T = Native<typename Case::element>;
      using A = Native<typename Case::accumulator>;
      const Workspace workspace = workspace_of<A>(queue);
      queue.library<T, A>(problem.n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
        bytes = 0;  // the call needs no temporary memory
        if (temporary == nullptr) return cudaSuccess;
        return reduce<overlap>(workspace, reinterpret_cast<const T*>(problem.input), problem.n,
                               reinterpret_cast<A*>(problem.result), Operator<Case>{},
                               std::bit_cast<A>(Case::function::identity()), stream);
      });
    }
  };
};

template <Overlap overlap>
Run<Queue> find(Type type, Operation operation) {
  using Floats = Each<Operation::sum>::Over<Type::f32>;
  return pick<Queue, Overlapping<overlap>::template Launch>(Floats{}, type, operation);
}

template <Overlap overlap>
consteval Extra variant(std::string_view id, std::string_view idea) {
  return {Rung{id, "", "", idea, "an experiment", no_axis}, {id, find<overlap>, Tuning{}}, false};
}

constexpr std::array all{
    variant<Overlap::none>("overlap_none", "the header's call, after all before it is complete"),
    variant<Overlap::after_previous>("overlap_after_previous",
                                     "the call is launched while the kernel before it runs"),
    variant<Overlap::input_ready>("overlap_input_ready",
                                  "and loads its input while that kernel runs"),
};

}  // namespace
}  // namespace ladder::cuda

std::vector<std::unique_ptr<ladder::Backend>> ladder::all_backends() {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(cuda::make_backend(cuda::all));
  return one;
}
