#pragma once

// CUB's device-wide reduction, called as its users call it.

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

#include "common/gpu/model.hpp"
#include "common/gpu/platform.hpp"
#include "common/library_value.hpp"
#include "common/problem.hpp"

namespace ladder::cuda {

/// Types and identity of a case as passed to CUB.
template <class Case>
struct Told {
  using A = Native<LibraryValue<Case>>;
  static constexpr bool widens =
      !std::is_same_v<typename Case::element, typename Case::accumulator>;
  using T = std::conditional_t<widens, Native<typename Case::element>, A>;
  static A identity() {
    const auto value = Case::function::identity();
    if constexpr (sizeof(A) == 2) {
      return std::bit_cast<A>(value);
    } else {
      return static_cast<A>(value);
    }
  }
};

/// Converts an element to its accumulator.
template <class A>
struct Widen {
  template <class T>
  __host__ __device__ A operator()(T element) const {
    return static_cast<A>(element);
  }
};

/// The library's function object for an operation; NaN and signed zeros in min and max follow the
/// library.
template <Operation operation>
constexpr auto library_function() {
  if constexpr (operation == Operation::sum) return ::cuda::std::plus<>{};
  if constexpr (operation == Operation::product) return ::cuda::std::multiplies<>{};
  if constexpr (operation == Operation::min) return ::cuda::minimum<>{};
  if constexpr (operation == Operation::max) return ::cuda::maximum<>{};
  if constexpr (operation == Operation::bit_and) return ::cuda::std::bit_and<>{};
  if constexpr (operation == Operation::bit_or) return ::cuda::std::bit_or<>{};
  if constexpr (operation == Operation::bit_xor) return ::cuda::std::bit_xor<>{};
}

/// Calls `f(count)` with n as an int if it fits, as in most user code; CUB then generates smaller
/// code.
template <class F>
auto with_count(std::size_t n, F&& f) {
  if (n <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return f(static_cast<int>(n));
  return f(static_cast<std::int64_t>(n));
}

// Internal linkage: sources may include different versions of CUB.
namespace {

/// CUB's reduction with a function object; widens elements if the accumulator is wider. If
/// `temporary` is null it only sets `bytes`, as CUB does.
template <class Case, class Count>
cudaError_t reduce(void* temporary, std::size_t& bytes, const typename Told<Case>::T* in,
                   typename Told<Case>::A* out, Count n, cudaStream_t stream) {
  using A = typename Told<Case>::A;
  const auto function = library_function<Case::operation>();
  if constexpr (Told<Case>::widens) {
    return cub::DeviceReduce::TransformReduce(temporary, bytes, in, out, n, function, Widen<A>{},
                                              Told<Case>::identity(), stream);
  } else {
    return cub::DeviceReduce::Reduce(temporary, bytes, in, out, n, function, Told<Case>::identity(),
                                     stream);
  }
}

/// CUB in its default mode: Sum, Min and Max where available, else Reduce with the library's
/// function objects; TransformReduce if the accumulator is wider than the element. Temporary memory
/// is preallocated.
template <class Case>
struct ByDefault {
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

}  // namespace ladder::cuda
