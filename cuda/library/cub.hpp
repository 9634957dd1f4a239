#pragma once

// CUB's device-wide reduction, called as its users call it.

#include <cstdint>
#include <limits>

#include <cub/device/device_reduce.cuh>
#include <cuda/std/functional>

#include "common/library_value.hpp"
#include "common/problem.hpp"

namespace ladder::cuda {

/// The library's own function object for an operation. NaN and the sign of zero in min and max are
/// its own affair.
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

/// Calls `f(count)` with n as an int where it fits, which most users have and CUB has smaller code
/// for.
template <class F>
auto with_count(std::size_t n, F&& f) {
  if (n <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return f(static_cast<int>(n));
  return f(static_cast<std::int64_t>(n));
}

}  // namespace ladder::cuda
