#pragma once

// Operations. Any other function object that can be called on the device with two accumulators will
// do, if it is associative and commutative.

#include <type_traits>

#include "ladder/gpu/detail/model.hpp"
#if !defined(__HIP_PLATFORM_AMD__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace ladder::LADDER_MODEL {

struct Sum {
  template <class A>
  __host__ __device__ A operator()(A a, A b) const {
    if constexpr (std::is_integral_v<A>) {  // wraps
      using Unsigned = std::make_unsigned_t<A>;
      return static_cast<A>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
};

namespace reduce_detail {

/// Types of 16 bits with instructions of their own: CUDA's. HIP's on AMD have other names from
/// version to version, and go the general way.
template <class A>
inline constexpr bool is_half = false;
#if !defined(__HIP_PLATFORM_AMD__)
template <>
inline constexpr bool is_half<__half> = true;
template <>
inline constexpr bool is_half<__nv_bfloat16> = true;
#endif

/// IEEE 754-2019: a NaN wins, and -0 is below +0. One instruction for float and the types of 16
/// bits.
template <bool greater, class A>
__host__ __device__ A extreme(A a, A b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (is_half<A>) return greater ? __hmax_nan(a, b) : __hmin_nan(a, b);
  if constexpr (std::is_same_v<A, float>) {
    float chosen;
    if constexpr (greater) {
      asm("max.NaN.f32 %0, %1, %2;" : "=f"(chosen) : "f"(a), "f"(b));
    } else {
      asm("min.NaN.f32 %0, %1, %2;" : "=f"(chosen) : "f"(a), "f"(b));
    }
    return chosen;
  }
#endif
  if constexpr (is_half<A>) {
    return static_cast<A>(extreme<greater>(static_cast<float>(a), static_cast<float>(b)));
  } else {
    if constexpr (std::is_floating_point_v<A>) {
      if (a != a || b != b) return a + b;
      if (a == b) return greater == (1 / a < 1 / b) ? b : a;
    }
    return greater == (a < b) ? b : a;
  }
}

}  // namespace reduce_detail

struct Minimum {
  template <class A>
  __host__ __device__ A operator()(A a, A b) const {
    return reduce_detail::extreme<false>(a, b);
  }
};
struct Maximum {
  template <class A>
  __host__ __device__ A operator()(A a, A b) const {
    return reduce_detail::extreme<true>(a, b);
  }
};

}  // namespace ladder::LADDER_MODEL
