// library_rocprim: rocPRIM's device-wide reduction on AMD, its temporary memory allocated
// beforehand, with the library's function objects where it has one.

#include <iostream>  // for rocPRIM 5, which forgets it

#include <rocprim/device/device_reduce.hpp>
#include <rocprim/functional.hpp>
#include <rocprim/iterator/transform_iterator.hpp>

#include "common/gpu/model.hpp"
#include "common/library_value.hpp"

namespace ladder::hip::library_rocprim {
namespace {

/// An element as its accumulator.
template <class A>
struct Widen {
  template <class T>
  __host__ __device__ A operator()(const T& element) const {
    return static_cast<A>(element);
  }
};

/// NaN and the sign of zero in min and max are the library's own affair.
template <class Case>
constexpr auto function() {
  using Value = LibraryValue<Case>;
  if constexpr (Case::operation == Operation::sum) {
    return rocprim::plus<Value>{};
  } else if constexpr (Case::operation == Operation::product) {
    return rocprim::multiplies<Value>{};
  } else if constexpr (sizeof(Value) == 2) {
    return typename Case::function{};  // rocPRIM cannot compare what is only stored
  } else if constexpr (Case::operation == Operation::min) {
    return rocprim::minimum<Value>{};
  } else if constexpr (Case::operation == Operation::max) {
    return rocprim::maximum<Value>{};
  } else {
    return typename Case::function{};
  }
}

template <class Case>
struct Launch {
  static void run(Queue& queue, const View<Case>& problem, const Tuning&) {
    using Value = LibraryValue<Case>;
    auto* const out = reinterpret_cast<Value*>(problem.result);
    const auto identity = static_cast<Value>(Case::function::identity());
    const auto in = [&] {
      if constexpr (sizeof(*problem.input) == sizeof(Value)) {
        return reinterpret_cast<const Value*>(problem.input);
      } else {
        return rocprim::make_transform_iterator(problem.input, Widen<Value>{});
      }
    }();
    queue.library<typename Case::element, Value>(
        problem.n, [&](void* temporary, std::size_t& bytes, hipStream_t stream) {
          return rocprim::reduce(temporary, bytes, in, out, identity, problem.n, function<Case>(),
                                 stream);
        });
  }
};

}  // namespace

Run<Queue> find(Type type, Operation op) { return pick<Queue, Launch>(Everything{}, type, op); }

}  // namespace ladder::hip::library_rocprim
