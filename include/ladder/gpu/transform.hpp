#pragma once

// Several arrays as one input: what a dot product, the place of a minimum or moments are made of.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "ladder/gpu/detail/gpu_model.hpp"
#include "ladder/version.hpp"

namespace ladder::LADDER_MODEL::LADDER_VERSION {

namespace reduce_detail {

using Index = std::int64_t;

template <std::size_t place, class T>
struct Array {
  const T* x;
};

/// Elements that one load of each array brings to a thread: 16 bytes of the array of the largest.
template <class... T>
constexpr unsigned common_width() {
  constexpr bool in_vectors =
      ((std::is_trivially_copyable_v<T> && sizeof(T) < 16 && 16 % sizeof(T) == 0) && ...);
  std::size_t largest = 1;
  ((largest = sizeof(T) > largest ? sizeof(T) : largest), ...);
  return in_vectors ? 16 / static_cast<unsigned>(largest) : 1;
}

/// `width`: elements of each array that are loaded at once.
template <unsigned width, bool indexed, class F, class Places, class... T>
struct Transformed;
template <unsigned width_, bool indexed, class F, std::size_t... place, class... T>
struct Transformed<width_, indexed, F, std::index_sequence<place...>, T...> : Array<place, T>... {
  static constexpr unsigned width = width_;
  static constexpr std::size_t bytes = (sizeof(T) + ...);  ///< of an element of each
  static constexpr unsigned arrays = sizeof...(T);
  F f;
  Index first;  ///< the number of the element that x points at

  __device__ decltype(auto) value(Index i, const T&... elements) const {
    if constexpr (indexed) {
      return f(first + i, elements...);
    } else {
      return f(elements...);
    }
  }
  __device__ decltype(auto) operator[](Index i) const { return value(i, Array<place, T>::x[i]...); }
  __device__ Transformed operator+(Index n) const {
    return {{Array<place, T>::x + n}..., f, first + n};
  }
  /// How many elements past a boundary of a load of each array it begins; `width` where they
  /// differ.
  unsigned past() const {
    const unsigned each[] = {past(Array<place, T>::x)...};
    for (const unsigned one : each)
      if (one != each[0]) return width;
    return each[0];
  }
  bool is_null() const { return ((Array<place, T>::x == nullptr) || ...); }
  /// The same, an element of each array at a time.
  Transformed<1, indexed, F, std::index_sequence<place...>, T...> one_by_one() const {
    return {{Array<place, T>::x}..., f, first};
  }

 private:
  template <class E>
  static unsigned past(const E* x) {
    const auto address = reinterpret_cast<std::uintptr_t>(x);
    return address % sizeof(E) == 0 ? static_cast<unsigned>(address / sizeof(E) % width) : width;
  }
};

}  // namespace reduce_detail

/// An input whose element i is f(x[i], y[i], ...) for the arrays given, each a pointer in device
/// memory; called on the device. It is read as fast as the arrays themselves where all of them
/// begin as many elements past a boundary of 16 bytes, as memory from an allocator does; else an
/// element at a time.
template <class F, class... T>
auto transform(F f, const T*... x) {
  return reduce_detail::Transformed<reduce_detail::common_width<T...>(), false, F,
                                    std::index_sequence_for<T...>, T...>{{x}..., f, 0};
}

/// The same of f(i, x[i], y[i], ...), i an std::int64_t.
template <class F, class... T>
auto transform_indexed(F f, const T*... x) {
  return reduce_detail::Transformed<reduce_detail::common_width<T...>(), true, F,
                                    std::index_sequence_for<T...>, T...>{{x}..., f, 0};
}

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION
