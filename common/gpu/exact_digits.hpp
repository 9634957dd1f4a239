#pragma once

// Exact sums of threads: through windows, and in digits in memory for what windows cannot hold
// (common/model/exact.hpp).

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
LADDER_DEVICE double as_double(T x) {
  if constexpr (std::is_same_v<T, Half>) return as_float(x);
  return static_cast<double>(x);
}

/// Not inlined: it is rare, and long.
LADDER_DEVICE_RARE inline void add_to(std::int64_t* digits, exact::Scaled x) {
  const auto cut = exact::pieces(x);
  LADDER_UNROLLED_WHOLE
  for (unsigned i = 0; i < 3; ++i)
    atomic_update<Function<Operation::sum, std::int64_t>>(digits + cut.first + i, cut.at[i]);
}

}  // namespace detail

/// Place of all threads' first window, from a few samples of the array. Affects only speed.
template <class T>
LADDER_DEVICE int place_by_samples(const T* x, Index n) {
  if constexpr (std::is_same_v<T, Half>) return exact::place_for<T>(0);
  constexpr int samples = 8, zero = exact::past(0), infinite = 1025;
  int past = zero;
  LADDER_UNROLLED_WHOLE
  for (int i = 0; i < samples; ++i) {
    const int found = exact::past(detail::as_double(x[(n - 1) * i / (samples - 1)]));
    past = found > past && found < infinite ? found : past;
  }
  return exact::place_for<T>(past == zero ? 0 : past);
}

/// Exact sum of the elements of a thread.
template <class T>
class ExactSum {
 public:
  /// `digits`: the queue's; `rank`: the block's index, so that not all blocks use the same copy.
  LADDER_DEVICE ExactSum(int place, std::int64_t* digits, unsigned rank)
      : digits_(digits + rank % exact::copies * exact::stride), place_(place) {}

  /// Adds the first few of k vectors that lie `stride` apart: by windows if these hold them, else
  /// element by element. Returns the number of vectors added.
  LADDER_DEVICE Index add(const Vector<T>* v, Index stride, Index k) {
    const Index count = k < unrolled ? 1 : unrolled;
    const bool done =
        count == 1 ? by_windows<1>(v, stride) : by_windows<unsigned{unrolled}>(v, stride);
    if (!done) {
      LADDER_NOT_UNROLLED
      for (Index c = 0; c < count; ++c) add(reinterpret_cast<const T*>(v + c * stride), width<T>);
    }
    // Before the sums can exceed 64 bits. The remainder at the end, less than a batch, still fits.
    if (count > 1 && k % (unrolled * exact::most_batches) < unrolled) move(place_);
    return count;
  }

  /// Adds `count` elements one by one, by windows where they fit.
  LADDER_DEVICE void add(const T* x, unsigned count) {
    constexpr int zero = exact::past(0);
    int past = zero;
    LADDER_NOT_UNROLLED
    for (unsigned e = 0; e < count; ++e) {
      const int found = exact::past(detail::as_double(x[e]));
      if (found < infinite && found > past) past = found;
    }
    const bool too_low = past - significand_bits<T>() < exact::lowest<T>(place_);
    const int place = exact::place_for<T>(past);
    if (past != zero && (too_low || past > exact::room(place_))) move(place);
    LADDER_NOT_UNROLLED
    for (unsigned e = 0; e < count; ++e) add_one(detail::as_double(x[e]));
  }

  /// Sum of all that did not go into the digits, in windows at `place`.
  LADDER_DEVICE exact::Wide finish(int place) {
    if (place != place_) move(place);
    return exact::wide(sum_, seen_);
  }

 private:
  static constexpr int infinite = 1025;

  /// Adds a batch by windows; false if they cannot hold it. Loads and checks all elements before
  /// the first addition: that keeps the loads together.
  template <unsigned count>
  LADDER_DEVICE bool by_windows(const Vector<T>* v, Index stride) {
    Elements<T> batch[count];
    static_assert(count * width<T> <= exact::most_in_batch<T>);
    std::uint32_t largest = 0;
    LADDER_UNROLLED_WHOLE
    for (unsigned c = 0; c < count; ++c) batch[c] = elements_of<T>(v[c * stride]);
    LADDER_UNROLLED_WHOLE
    for (unsigned c = 0; c < count; ++c) {
      LADDER_UNROLLED_WHOLE
      for (const T x : batch[c].at) {
        const std::uint32_t magnitude = exact::magnitude(x);
        largest = magnitude > largest ? magnitude : largest;
      }
    }
    if (past_of(largest) > exact::room(place_)) return false;

    const double first = exact::window(place_), second = exact::window(place_ - exact::apart);
    double a = first, b = second;
    std::uint32_t left = 0;
    LADDER_UNROLLED_WHOLE
    for (unsigned c = 0; c < count; ++c) {
      LADDER_UNROLLED_WHOLE
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
  LADDER_DEVICE static int past_of(std::uint32_t magnitude) {
    if constexpr (sizeof(T) == 8) return static_cast<int>(magnitude >> 20) - 1022;
    if constexpr (sizeof(T) == 4) return exact::past(std::bit_cast<float>(magnitude));
    if constexpr (sizeof(T) == 2) return exact::past(detail::as_double(narrowed<T>(magnitude)));
  }

  LADDER_DEVICE void add_one(double x) {
    const int past = exact::past(x);
    if (past == infinite) {
      seen_ |= x > 0 ? exact::infinity : x < 0 ? exact::minus_infinity : exact::nan;
      return;
    }
    if (past <= exact::room(place_)) {
      LADDER_UNROLLED_WHOLE
      for (unsigned w = 0; w < exact::windows<T>; ++w) {
        const double window = exact::window(place_ - static_cast<int>(w) * exact::apart);
        double sum = window;
        x = exact::cut(sum, x);
        sum_[w] += exact::since(window, sum);
      }
    }
    deposit(exact::scaled(x));
  }

  /// Moves the sums of the windows into the digits; later elements are summed at `place`.
  LADDER_DEVICE void move(int place) {
    LADDER_UNROLLED_WHOLE
    for (unsigned w = 0; w < exact::windows<T>; ++w) {
      deposit({sum_[w], place_ - static_cast<int>(w) * exact::apart});
      sum_[w] = 0;
    }
    place_ = place;
  }

  LADDER_DEVICE void deposit(const exact::Scaled& x) {
    if (x.value == 0) return;
    detail::add_to(digits_, x);
    seen_ |= exact::in_digits;
  }

  std::int64_t* digits_;
  std::int64_t sum_[exact::windows<T>]{};
  std::uint32_t seen_ = exact::nothing;
  int place_;
};

/// Rounds the sum of all blocks once to *result: the windows' sum in units of 2^lowest plus, if
/// `in_digits`, the sum in `digit`, which is overwritten.
template <class A>
LADDER_DEVICE void round_to(A* result, const exact::Wide& sum, int lowest, bool in_digits,
                            std::int64_t* digit) {
  A value;
  if (exact::decided(sum.seen, value)) {
    *result = value;
  } else if (in_digits) {
    exact::add(digit, sum, lowest);
    *result = exact::rounded<A>(digit);
  } else {
    *result = exact::rounded<A>(sum, lowest);
  }
}

}  // namespace ladder::LADDER_MODEL
