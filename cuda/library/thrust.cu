// library_thrust: thrust::reduce on the queue's stream; it blocks and returns the result to the
// host. Its allocator uses preallocated memory, so that both sides of a ratio do the same work.

#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform_reduce.h>

#include "common/gpu/model.hpp"
#include "cuda/library/cub.hpp"

namespace ladder::cuda::library_thrust {
namespace {

/// Thrust allocator that returns the queue's scratch.
struct Scratch {
  using value_type = char;
  Queue& queue;
  char* allocate(std::ptrdiff_t bytes) {
    return queue.scratch<char>(static_cast<std::size_t>(bytes));
  }
  void deallocate(char*, std::size_t) {}
};

template <class Case>
struct Launch {
  using T = typename Told<Case>::T;
  using A = typename Told<Case>::A;

  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    const auto* const in = reinterpret_cast<const T*>(problem.input);
    const auto function = library_function<Case::operation>();
    if (queue.tracing()) return trace(queue, in, problem.n);
    Scratch scratch{queue};
    const auto policy = thrust::cuda::par(scratch).on(queue.stream());
    if constexpr (Told<Case>::widens) {
      *queue.host_result<A>() = thrust::transform_reduce(policy, in, in + problem.n, Widen<A>{},
                                                         Told<Case>::identity(), function);
    } else {
      *queue.host_result<A>() =
          thrust::reduce(policy, in, in + problem.n, Told<Case>::identity(), function);
    }
  }

  /// thrust::reduce calls CUB's Reduce (as of CCCL 3), with one allocation for temporary memory and
  /// the result. It waits for the result and cannot be traced, but its CUB call can.
  static void trace(Queue& queue, const T* in, std::size_t n) {
    with_count(n, [&](auto count) {
      queue.library<T, A>(n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
        const auto code =
            reduce<Case>(temporary, bytes, in, static_cast<A*>(nullptr), count, stream);
        // Thrust requests both at once, each aligned to 256 bytes, from an address that may not be.
        if (temporary == nullptr) bytes += 256 * 3;
        return code;
      });
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::cuda::library_thrust
