#pragma once

// Operations. A caller may pass any associative and commutative function object that the device can
// call with two accumulators.

#include <limits>
#include <type_traits>

#include "ladder/gpu/detail/gpu_model.hpp"
#if !defined(__HIP_PLATFORM_AMD__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

namespace ladder::LADDER_MODEL::LADDER_VERSION {

/// True if Minimum and Maximum of A follow IEEE 754-2019: NaN propagates, -0 < +0. Derived from
/// std::numeric_limits; specialize it for other classes of numbers:
/// `template <> inline constexpr bool ladder::cuda::is_floating<MyHalf> = true;`
template <class A>
inline constexpr bool is_floating =
    std::numeric_limits<A>::is_specialized && !std::numeric_limits<A>::is_integer;

namespace reduce_detail {

/// True for CUDA's 16-bit types, which have their own instructions. On AMD, HIP's names differ
/// between versions, so the generic path handles these types.
template <class A>
inline constexpr bool is_half = false;
#if !defined(__HIP_PLATFORM_AMD__)
template <>
inline constexpr bool is_half<__half> = true;
template <>
inline constexpr bool is_half<__nv_bfloat16> = true;

// Replaces the operators and conversions that __CUDA_NO_HALF_OPERATORS__ removes.
__host__ __device__ inline float as_float(__half x) { return __half2float(x); }
__host__ __device__ inline float as_float(__nv_bfloat16 x) { return __bfloat162float(x); }
__host__ __device__ inline void set(__half& x, float value) { x = __float2half(value); }
__host__ __device__ inline void set(__nv_bfloat16& x, float value) { x = __float2bfloat16(value); }
#endif

/// Converts `x` to A.
template <class A, class T>
__host__ __device__ A cast(const T& x) {
  if constexpr (requires { static_cast<A>(x); }) {
    return static_cast<A>(x);
  } else if constexpr (is_half<T>) {
    return cast<A>(as_float(x));
  } else {
    static_assert(is_half<A>, "an element has to be convertible to the accumulator");
    A value;
    set(value, static_cast<float>(x));
    return value;
  }
}

}  // namespace reduce_detail

struct Sum {
  template <class A>
  __host__ __device__ A operator()(A a, A b) const {
    if constexpr (std::is_same_v<A, bool>) {
      return a || b;
    } else if constexpr (std::is_integral_v<A>) {  // wraps
      using Unsigned = std::make_unsigned_t<A>;
      return static_cast<A>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else if constexpr (requires { a + b; }) {
      return a + b;
    } else {
      static_assert(reduce_detail::is_half<A>, "the accumulator has no operator+");
      return __hadd(a, b);
    }
  }
};

namespace reduce_detail {

/// IEEE 754-2019 minimum or maximum: NaN propagates, -0 < +0. One instruction for float and 16-bit
/// types.
template <bool greater, class A>
__host__ __device__ A extreme(A a, A b) {
  static_assert(is_floating<A> || is_half<A> || !std::is_class_v<A> ||
                    !std::is_convertible_v<A, float> || std::numeric_limits<A>::is_specialized,
                "a class of numbers: specialize is_floating<A>, or NaN and -0 would be lost");
#if defined(__HIP_PLATFORM_AMD__) && defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
  static_assert(!is_floating<A>, "built without NaN and infinities: leave out -ffast-math");
#endif
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
    return cast<A>(extreme<greater>(as_float(a), as_float(b)));
  } else if constexpr (std::is_floating_point_v<A>) {
    if (a != a || b != b) return a + b;
    if (a == b) return greater == (1 / a < 1 / b) ? b : a;
    return greater == (a < b) ? b : a;
  } else if constexpr (is_floating<A>) {
    if (a != a) return a;
    if (b != b) return b;
    if (a < b) return greater ? b : a;
    if (b < a) return greater ? a : b;
    const auto x = static_cast<double>(a), y = static_cast<double>(b);  // both may be zero
    return greater == (1 / x < 1 / y) ? b : a;
  } else {
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

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION
