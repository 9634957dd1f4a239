// library_cub: cub::DeviceReduce, its temporary memory allocated beforehand. Sum, Min and Max where
// CUB has them; Reduce with the library's function objects for the rest, TransformReduce where the
// accumulator is wider than the element.

#include "common/gpu/model.hpp"
#include "cuda/library/cub.hpp"

namespace ladder::cuda::library_cub {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using T = typename Told<Case>::T;
    using A = typename Told<Case>::A;
    const auto* const in = reinterpret_cast<const T*>(problem.input);
    auto* const out = reinterpret_cast<A*>(problem.result);
    with_count(problem.n, [&](auto n) {
      queue.library<T, A>(problem.n, [&](void* temporary, std::size_t& bytes, cudaStream_t stream) {
        using Reduce = cub::DeviceReduce;
        if constexpr (Case::operation == Operation::sum && !Told<Case>::widens) {
          return Reduce::Sum(temporary, bytes, in, out, n, stream);
        } else if constexpr (Case::operation == Operation::min) {
          return Reduce::Min(temporary, bytes, in, out, n, stream);
        } else if constexpr (Case::operation == Operation::max) {
          return Reduce::Max(temporary, bytes, in, out, n, stream);
        } else {
          return reduce<Case>(temporary, bytes, in, out, n, stream);
        }
      });
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::cuda::library_cub
