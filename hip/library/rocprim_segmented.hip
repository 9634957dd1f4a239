// library_rocprim_segmented: rocPRIM's segmented reduction of rows and segments on AMD, one block
// per segment, with preallocated temporary memory.

#include "hip/library/rocprim.hpp"
#include "hip/library/segment_offsets.hpp"

namespace ladder::hip::library_rocprim_segmented {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Value = LibraryValue<Case>;
    auto* const out = reinterpret_cast<Value*>(problem.result);
    const auto identity = static_cast<Value>(Case::function::identity());
    const auto in = library_input(problem);
    with_offsets<unsigned>(problem, [&](unsigned count, auto begin, auto end) {
      queue.library<typename Case::element, Value>(
          problem.n, [&](void* temporary, std::size_t& bytes, hipStream_t stream) {
            return rocprim::segmented_reduce(temporary, bytes, in, out, count, begin, end,
                                             library_function<Case>(), identity, stream);
          });
    });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(ClassicOnAll{}, type, op); }

}  // namespace ladder::hip::library_rocprim_segmented
