// library_hipcub_segmented: hipCUB's segmented reduction of rows and segments, which wraps rocPRIM,
// with preallocated temporary memory.

#include <hipcub/device/device_segmented_reduce.hpp>

#include "common/gpu/model.hpp"
#include "common/library_value.hpp"
#include "hip/library/segment_offsets.hpp"

namespace ladder::hip::library_hipcub_segmented {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Value = LibraryValue<Case>;
    const auto* const in = reinterpret_cast<const Value*>(problem.input);
    auto* const out = reinterpret_cast<Value*>(problem.result);
    const auto identity = static_cast<Value>(Case::function::identity());
    with_offsets<int>(problem, [&](int count, auto begin, auto end) {
      queue.library<Value, Value>(problem.n, [&](void* temporary, std::size_t& bytes,
                                                 hipStream_t stream) {
        return hipcub::DeviceSegmentedReduce::Reduce(temporary, bytes, in, out, count, begin, end,
                                                     typename Case::function{}, identity, stream);
      });
    });
  }
};

}  // namespace

/// Elements as wide as their accumulators, as in library_hipcub.
Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Classic{}, type, op); }

}  // namespace ladder::hip::library_hipcub_segmented
