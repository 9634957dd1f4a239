#pragma once

// How threads add up elements exactly: through windows, and what does not fit there into digits in
// memory (common/model/exact.hpp).

#include <bit>
#include <cstdint>
#include <type_traits>

#include "common/gpu/atomics.hpp"
#include "common/gpu/index.hpp"
#include "common/gpu/platform.hpp"
#include "common/gpu/vector.hpp"
#include "common/model/exact.hpp"

namespace ladder::LADDER_MODEL {
namespace detail {

template <class T>
__device__ double as_double(T x) {
  if constexpr (std::is_same_v<T, Half>) return as_float(x);
  return static_cast<double>(x);
}

/// Not where it is called: it is rare, and long.
__device__ __noinline__ inline void add_to(std::int64_t* digits, exact::Scaled x) {
  const auto cut = exact::pieces(x);
#pragma unroll
  for (unsigned i = 0; i < 3; ++i)
    atomic_update<Function<Operation::sum, std::int64_t>>(digits + cut.first + i, cut.at[i]);
}

}  // namespace detail

/// Where the first window of all threads is, by a few elements from all over the array. Only speed
/// hangs on it.
template <class T>
__device__ int place_by_samples(const T* x, Index n) {
  if constexpr (std::is_same_v<T, Half>) return exact::place_for<T>(0);
  constexpr int samples = 8, zero = exact::past(0), infinite = 1025;
  int past = zero;
#pragma unroll
  for (int i = 0; i < samples; ++i) {
    const int found = exact::past(detail::as_double(x[(n - 1) * i / (samples - 1)]));
    past = found > past && found < infinite ? found : past;
  }
  return exact::place_for<T>(past == zero ? 0 : past);
}

/// The exact sum of what a thread adds.
template <class T>
class ExactSum {
 public:
  /// `digits`: those of the queue.
  __device__ ExactSum(int place, std::int64_t* digits) : digits_(digits), place_(place) {}

  /// The first few of k vectors that lie `stride` apart, by windows if these hold them, else one
  /// element after the other. Returns how many.
  __device__ Index add(const Vector<T>* v, Index stride, Index k) {
    const Index count = k < unrolled ? 1 : unrolled;
    const bool done =
        count == 1 ? by_windows<1>(v, stride) : by_windows<unsigned{unrolled}>(v, stride);
    if (!done) {
#pragma unroll 1
      for (Index c = 0; c < count; ++c) add(reinterpret_cast<const T*>(v + c * stride), width<T>);
    }
    // Before the sums can pass 64 bits. What is left at the end, less than a batch, finds room.
    if (count > 1 && k % (unrolled * exact::most_batches) < unrolled) move(place_);
    return count;
  }

  /// `count` elements, one by one, by windows where they belong.
  __device__ void add(const T* x, unsigned count) {
    constexpr int zero = exact::past(0);
    int past = zero;
#pragma unroll 1
    for (unsigned e = 0; e < count; ++e) {
      const int found = exact::past(detail::as_double(x[e]));
      if (found < infinite && found > past) past = found;
    }
    const bool too_low = past - significand_bits<T>() < exact::lowest<T>(place_);
    const int place = exact::place_for<T>(past);
    if (past != zero && (too_low || past > exact::room(place_))) move(place);
#pragma unroll 1
    for (unsigned e = 0; e < count; ++e) add_one(detail::as_double(x[e]));
  }

  /// All of it that did not go into the digits, in windows at `place`.
  __device__ exact::Wide finish(int place) {
    if (place != place_) move(place);
    return exact::wide(sum_, seen_);
  }

 private:
  static constexpr int infinite = 1025;

  /// All are loaded and looked at before the first is added: that keeps the loads together.
  template <unsigned count>
  __device__ bool by_windows(const Vector<T>* v, Index stride) {
    struct Elements {
      T at[width<T>];
    } batch[count];
    static_assert(count * width<T> <= exact::most_in_batch<T>);
    std::uint32_t largest = 0;
#pragma unroll
    for (unsigned c = 0; c < count; ++c) batch[c] = std::bit_cast<Elements>(bits_of(v[c * stride]));
#pragma unroll
    for (unsigned c = 0; c < count; ++c) {
#pragma unroll
      for (const T x : batch[c].at) {
        const std::uint32_t magnitude = exact::magnitude(x);
        largest = magnitude > largest ? magnitude : largest;
      }
    }
    if (past_of(largest) > exact::room(place_)) return false;

    const double first = exact::window(place_), second = exact::window(place_ - exact::apart);
    double a = first, b = second;
    std::uint32_t left = 0;
#pragma unroll
    for (unsigned c = 0; c < count; ++c) {
#pragma unroll
      for (const T x : batch[c].at) {
        double rest = exact::cut(a, detail::as_double(x));
        if constexpr (exact::windows<T> == 2) rest = exact::cut(b, rest);
        left |= exact::upper(rest) | exact::lower(rest);
      }
    }
    if (left != 0) return false;
    sum_[0] += exact::since(first, a);
    if constexpr (exact::windows<T> == 2) sum_[1] += exact::since(second, b);
    return true;
  }
  __device__ static int past_of(std::uint32_t magnitude) {
    if constexpr (sizeof(T) == 8) return static_cast<int>(magnitude >> 20) - 1022;
    if constexpr (sizeof(T) == 4) return exact::past(std::bit_cast<float>(magnitude));
    if constexpr (sizeof(T) == 2) return exact::past(detail::as_double(narrowed<T>(magnitude)));
  }

  __device__ void add_one(double x) {
    const int past = exact::past(x);
    if (past == infinite) {
      seen_ |= x > 0 ? exact::infinity : x < 0 ? exact::minus_infinity : exact::nan;
      return;
    }
    if (past <= exact::room(place_)) {
#pragma unroll
      for (unsigned w = 0; w < exact::windows<T>; ++w) {
        const double window = exact::window(place_ - static_cast<int>(w) * exact::apart);
        double sum = window;
        x = exact::cut(sum, x);
        sum_[w] += exact::since(window, sum);
      }
    }
    deposit(exact::scaled(x));
  }

  /// Takes what was summed through windows into the digits; what comes next is summed at `place`.
  __device__ void move(int place) {
#pragma unroll
    for (unsigned w = 0; w < exact::windows<T>; ++w) {
      deposit({sum_[w], place_ - static_cast<int>(w) * exact::apart});
      sum_[w] = 0;
    }
    place_ = place;
  }

  __device__ void deposit(const exact::Scaled& x) {
    if (x.value == 0) return;
    detail::add_to(digits_ + blockIdx.x % exact::copies * exact::stride, x);
    seen_ |= exact::in_digits;
  }

  std::int64_t* digits_;
  std::int64_t sum_[exact::windows<T>]{};
  std::uint32_t seen_ = exact::nothing;
  int place_;
};

/// The sum of all blocks, of which thread 0 has what came by windows down to 2^lowest, rounded once
/// to *result. By all threads of the last block, when the digits are complete; they are zero again
/// then.
template <unsigned block, class A>
__device__ void round_once(const exact::Wide& sum, int lowest, std::int64_t* digits, A* result) {
  __shared__ exact::Wide all;
  __shared__ std::int64_t digit[exact::digits];
  const unsigned tid = threadIdx.x;
  if (tid == 0) all = sum;
  __syncthreads();
  const bool in_digits = (all.seen & exact::in_digits) != 0;
  if (in_digits) {
    for (unsigned i = tid; i < exact::digits; i += block) digit[i] = exact::folded(digits, i);
    __syncthreads();
    for (unsigned i = tid; i < exact::copies * exact::stride; i += block) digits[i] = 0;
  }
  if (tid != 0) return;
  A value;
  if (exact::decided(all.seen, value)) {
    *result = value;
  } else if (in_digits) {
    exact::add(digit, all, lowest);
    *result = exact::rounded<A>(digit);
  } else {
    *result = exact::rounded<A>(all, lowest);
  }
}

}  // namespace ladder::LADDER_MODEL
