// library_hipcub: hipCUB's device-wide reduction, which wraps rocPRIM, with preallocated temporary
// memory. Sum, Min and Max where available, else Reduce with the ladder's function objects.

#include <limits>
#include <string>

#include <hipcub/device/device_reduce.hpp>

#include "common/gpu/model.hpp"
#include "common/library_value.hpp"
#include "common/model/backend.hpp"

namespace ladder::hip::library_hipcub {
namespace {

/// Elements as wide as their accumulators: not all hipCUB releases support others.
using Words = decltype(
    Classic{} + Each<Operation::product>::Over<Type::i32, Type::i64, Type::f32, Type::f64>{} +
    Each<Operation::bit_and, Operation::bit_or, Operation::bit_xor>::Over<Type::i32, Type::i64>{});

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Value = LibraryValue<Case>;
    // The count was an int before ROCm 6.
    constexpr std::size_t most = std::numeric_limits<int>::max();
    if (problem.n > most) throw NotPossible("hipCUB takes at most " + std::to_string(most));
    const int n = static_cast<int>(problem.n);
    const auto* const in = reinterpret_cast<const Value*>(problem.input);
    auto* const out = reinterpret_cast<Value*>(problem.result);
    queue.library<Value, Value>(
        problem.n, [&](void* temporary, std::size_t& bytes, hipStream_t stream) {
          using Reduce = hipcub::DeviceReduce;
          if constexpr (Case::operation == Operation::sum) {
            return Reduce::Sum(temporary, bytes, in, out, n, stream);
          } else if constexpr (Case::operation == Operation::min) {
            return Reduce::Min(temporary, bytes, in, out, n, stream);
          } else if constexpr (Case::operation == Operation::max) {
            return Reduce::Max(temporary, bytes, in, out, n, stream);
          } else {
            return Reduce::Reduce(temporary, bytes, in, out, n, typename Case::function{},
                                  static_cast<Value>(Case::function::identity()), stream);
          }
        });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Words{}, type, op); }

}  // namespace ladder::hip::library_hipcub
