#pragma once

// Input and operation of a case as passed to rocPRIM.

#include <iostream>  // rocPRIM 5 omits it

#include <rocprim/device/device_reduce.hpp>
#include <rocprim/device/device_segmented_reduce.hpp>
#include <rocprim/functional.hpp>
#include <rocprim/iterator/transform_iterator.hpp>

#include "common/gpu/model.hpp"
#include "common/library_value.hpp"

namespace ladder::hip {

/// Converts an element to its accumulator.
template <class A>
struct Widen {
  template <class T>
  __host__ __device__ A operator()(const T& element) const {
    return static_cast<A>(element);
  }
};

/// NaN and signed zeros in min and max follow the library.
template <class Case>
constexpr auto library_function() {
  using Value = LibraryValue<Case>;
  if constexpr (Case::operation == Operation::sum) {
    return rocprim::plus<Value>{};
  } else if constexpr (Case::operation == Operation::product) {
    return rocprim::multiplies<Value>{};
  } else if constexpr (sizeof(Value) == 2) {
    return typename Case::function{};  // rocPRIM cannot compare storage-only types
  } else if constexpr (Case::operation == Operation::min) {
    return rocprim::minimum<Value>{};
  } else if constexpr (Case::operation == Operation::max) {
    return rocprim::maximum<Value>{};
  } else {
    return typename Case::function{};
  }
}

/// The elements, converted to their accumulators.
template <class Case>
auto library_input(const View<Case>& problem) {
  using Value = LibraryValue<Case>;
  if constexpr (sizeof(*problem.input) == sizeof(Value)) {
    return reinterpret_cast<const Value*>(problem.input);
  } else {
    return rocprim::make_transform_iterator(problem.input, Widen<Value>{});
  }
}

}  // namespace ladder::hip
