#pragma once

// 16-byte loads.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/gpu/index.hpp"
#include "common/gpu/platform.hpp"

namespace ladder::LADDER_MODEL {

/// The elements that one load instruction can bring to a thread, 16 bytes.
template <class T>
using Vector = std::conditional_t<sizeof(T) <= 4, FourWords, TwoLongs>;

template <class T>
inline constexpr unsigned width = sizeof(Vector<T>) / sizeof(T);

/// Partition of an array for vector loads: elements [0, head) lie before the first 16-byte
/// boundary, `vectors` whole vectors follow, and elements [tail, n) are left. Head and rest are
/// shorter than a vector.
struct Split {
  Index head, vectors, tail;
};

/// `x` must be aligned for its type.
template <class T>
LADDER_DEVICE Split split(const T* x, Index n) {
  const unsigned past = reinterpret_cast<std::uintptr_t>(x) % sizeof(Vector<T>) / sizeof(T);
  const Index until = (width<T> - past) % width<T>;
  const Index head = until < n ? until : n;
  const Index vectors = (n - head) / width<T>;
  return {head, vectors, head + vectors * width<T>};
}

/// The elements of one vector.
template <class T>
struct Elements {
  T at[width<T>];
};
template <class T>
LADDER_DEVICE Elements<T> elements_of(const Vector<T>& vector) {
  return std::bit_cast<Elements<T>>(bits_of(vector));
}

namespace detail {
/// Elements [first, first + count) of one vector as one value, pair by pair. Recursive: nvcc 13
/// does not unroll a loop that contains another.
template <class Op, unsigned first, unsigned count, class T>
LADDER_DEVICE typename Op::value fold_part(const T* at) {
  if constexpr (count == 1) {
    return typename Op::value(at[first]);
  } else {
    return Op{}(fold_part<Op, first, count / 2>(at),
                fold_part<Op, first + count / 2, count / 2>(at));
  }
}
}  // namespace detail

/// Reduces the elements of one vector to one value.
template <class Op, class T>
LADDER_DEVICE typename Op::value fold(const Vector<T>& vector) {
  const auto [at] = elements_of<T>(vector);
  return detail::fold_part<Op, 0, width<T>>(at);
}

}  // namespace ladder::LADDER_MODEL
