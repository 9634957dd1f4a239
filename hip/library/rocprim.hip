// library_rocprim: rocPRIM's device-wide reduction on AMD, with preallocated temporary memory and
// the library's function objects where available.

#include "hip/library/rocprim.hpp"

namespace ladder::hip::library_rocprim {
namespace {

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Value = LibraryValue<Case>;
    auto* const out = reinterpret_cast<Value*>(problem.result);
    const auto identity = static_cast<Value>(Case::function::identity());
    const auto in = library_input(problem);
    queue.library<typename Case::element, Value>(
        problem.n, [&](void* temporary, std::size_t& bytes, hipStream_t stream) {
          return rocprim::reduce(temporary, bytes, in, out, identity, problem.n,
                                 library_function<Case>(), stream);
        });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::hip::library_rocprim
