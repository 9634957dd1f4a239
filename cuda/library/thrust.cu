// library_thrust: thrust::reduce on the queue's stream. It blocks, and gives its result to the
// host; its temporary memory comes from an allocator over memory that was allocated beforehand, for
// the same work as the other side of a ratio.

#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>

#include "cuda/library/cub.hpp"
#include "cuda/queue.hpp"

namespace ladder::cuda::library_thrust {
namespace {

/// Thrust's allocator of one run: hands out the queue's scratch.
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
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Value = LibraryValue<Case>;
    const auto* const in = reinterpret_cast<const Value*>(problem.input);
    const auto function = library_function<Case::operation>();
    const auto identity = static_cast<Value>(Case::function::identity());
    if (queue.tracing()) return trace(queue, in, problem.n, function, identity);
    Scratch scratch{queue};
    const auto policy = thrust::cuda::par(scratch).on(queue.stream());
    *queue.host_result<Value>() = thrust::reduce(policy, in, in + problem.n, identity, function);
  }

  /// thrust::reduce is CUB's Reduce (so in CCCL 3), with one allocation for CUB's temporary memory
  /// and the result. Since it waits for the result it cannot be seen itself; what it calls can.
  template <class Value, class F>
  static void trace(Queue& queue, const Value* in, std::size_t n, F function, Value identity) {
    with_count(n, [&](auto count) {
      queue.library<Value, Value>(n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
        const auto code = cub::DeviceReduce::Reduce(
            temporary, bytes, in, static_cast<Value*>(nullptr), count, function, identity, stream);
        // Thrust asks for both at once, each aligned to 256 bytes, from an address that need not
        // be.
        if (temporary == nullptr) bytes += 256 * 3;
        return code;
      });
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::cuda::library_thrust
