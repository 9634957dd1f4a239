// library_cub_newest: library_cub with a newer CCCL than the toolkit's. library_cub_reproducible
// and library_cub_not_guaranteed: cub::DeviceReduce with an execution environment that requires
// gpu-to-gpu determinism, or none. Such a call allocates temporary memory itself, from a resource
// in the environment. Here the resource is preallocated, so that both sides of a ratio do the same
// work.

#include <new>

#include <cub/device/device_reduce.cuh>
#include <cuda/execution>
#include <cuda/memory_resource>
#include <cuda/std/functional>
#include <cuda/stream_ref>

#include "cuda/library/cub_segmented.hpp"

namespace ladder::cuda {
namespace detail {

/// A memory resource of one preallocated block. If `memory` is null it records the requested size
/// and throws.
struct Reserved {
  void* memory;
  std::size_t* bytes;

  void* allocate(::cuda::stream_ref, std::size_t asked, std::size_t) {
    return allocate_sync(asked, 0);
  }
  void* allocate_sync(std::size_t asked, std::size_t) {
    if (memory != nullptr) return memory;
    *bytes = asked;
    throw std::bad_alloc();  // CUB returns an error code
  }
  void deallocate(::cuda::stream_ref, void*, std::size_t, std::size_t) noexcept {}
  void deallocate_sync(void*, std::size_t, std::size_t) noexcept {}
  bool operator==(const Reserved&) const = default;
  friend constexpr void get_property(const Reserved&, ::cuda::mr::device_accessible) noexcept {}
};

}  // namespace detail

namespace {

template <class Case, class Requirement>
void sum(Queue& queue, const View<Case>& problem, Requirement required) {
  using T = typename Told<Case>::T;
  using A = typename Told<Case>::A;
  const auto* const in = reinterpret_cast<const T*>(problem.input);
  auto* const out = reinterpret_cast<A*>(problem.result);
  with_count(problem.n, [&](auto n) {
    queue.library<T, A>(problem.n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
      using namespace ::cuda::std::execution;
      const env environment{
          ::cuda::stream_ref{stream},
          prop{::cuda::mr::__get_memory_resource_t{}, detail::Reserved{temporary, &bytes}},
          ::cuda::execution::require(required)};
      cudaError_t code;
      if constexpr (Told<Case>::widens) {
        code = cub::DeviceReduce::TransformReduce(in, out, n, ::cuda::std::plus<>{}, Widen<A>{},
                                                  A{}, environment);
      } else {
        code = cub::DeviceReduce::Sum(in, out, n, environment);
      }
      return temporary == nullptr ? cudaSuccess : code;
    });
  });
}

}  // namespace

namespace library_cub_newest {
Run<Queue> find(Type type, Operation op) { return pick<Queue, ByDefault>(Everything{}, type, op); }
}  // namespace library_cub_newest

// library_cub_segmented with the newer CCCL, which has a call for equal segment sizes.
namespace library_cub_segmented_newest {
namespace {
template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    segmented<Case, true>(queue, problem);
  }
};
}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }
}  // namespace library_cub_segmented_newest

namespace library_cub_reproducible {
namespace {
template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    sum(queue, problem, ::cuda::execution::determinism::gpu_to_gpu);
  }
};
// Other cases need no rounding and give the same result with library_cub.
using Rounded = Each<Operation::sum>::Over<Type::f32, Type::f64, Type::f16, Type::bf16>;
}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Rounded{}, type, op); }
}  // namespace library_cub_reproducible

namespace library_cub_not_guaranteed {
namespace {
template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    sum(queue, problem, ::cuda::execution::determinism::not_guaranteed);
  }
};
}  // namespace

Run<Queue> find(Type type, Operation op) {
  return pick<Queue, Launch>(Each<Operation::sum>::OverAll{}, type, op);
}
}  // namespace library_cub_not_guaranteed

}  // namespace ladder::cuda
