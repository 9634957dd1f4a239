#pragma once

// Several arrays as one input of a reduction; shared by CUDA, HIP and Kokkos.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "ladder/detail/elements.hpp"

namespace ladder::LADDER_VERSION::reduce_detail {

template <std::size_t place, class T>
struct Array {
  const T* x;
};

/// Elements per thread that one load of each array covers: 16 bytes of the widest element type.
template <class... T>
constexpr unsigned common_width() {
  std::size_t largest = 1;
  ((largest = sizeof(T) > largest ? sizeof(T) : largest), ...);
  return (FillsVector<T> && ...) ? 16 / static_cast<unsigned>(largest) : 1;
}

/// Several arrays as one input. `width`: elements of each array per load.
template <unsigned width, bool indexed, class F, class Places, class... T>
struct Transformed;
template <unsigned width_, bool indexed, class F, std::size_t... place, class... T>
struct Transformed<width_, indexed, F, std::index_sequence<place...>, T...> : Array<place, T>... {
  static constexpr unsigned width = width_;
  static constexpr std::size_t bytes = (sizeof(T) + ...);  ///< one element of each array
  static constexpr unsigned arrays = sizeof...(T);
  F f;
  Index first;  ///< index of the element at x

  LADDER_UNCHECKED
  LADDER_FUNCTION decltype(auto) value(Index i, const T&... elements) const {
    if constexpr (indexed) {
      return f(first + i, elements...);
    } else {
      return f(elements...);
    }
  }
  LADDER_UNCHECKED
  LADDER_FUNCTION decltype(auto) operator[](Index i) const {
    return value(i, Array<place, T>::x[i]...);
  }
  LADDER_FUNCTION Transformed operator+(Index n) const {
    return {{Array<place, T>::x + n}..., f, first + n};
  }
  /// Elements by which the first array's address exceeds a load boundary. In vector reads, all
  /// arrays have this offset.
  LADDER_FUNCTION unsigned past_of_first() const {
    return (static_cast<unsigned>(place == 0 ? past(Array<place, T>::x) : 0) + ...);
  }
  /// Offset shared by all arrays; `width` if they differ.
  unsigned past() const {
    const unsigned each[] = {past_checked(Array<place, T>::x)...};
    for (const unsigned one : each)
      if (one != each[0]) return width;
    return each[0];
  }
  bool is_null() const { return ((Array<place, T>::x == nullptr) || ...); }
  /// The same input, read one element of each array at a time.
  Transformed<1, indexed, F, std::index_sequence<place...>, T...> one_by_one() const {
    return {{Array<place, T>::x}..., f, first};
  }

 private:
  template <class E>
  LADDER_FUNCTION static unsigned past(const E* x) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(x) / sizeof(E) % width);
  }
  template <class E>
  static unsigned past_checked(const E* x) {
    return reinterpret_cast<std::uintptr_t>(x) % sizeof(E) == 0 ? past(x) : width;
  }
};

#pragma GCC visibility push(hidden)

template <class In>
inline constexpr bool is_transformed = false;
template <unsigned width, bool indexed, class F, class Places, class... T>
inline constexpr bool is_transformed<Transformed<width, indexed, F, Places, T...>> = true;

#pragma GCC visibility pop

/// An input whose element i is f(x[i], y[i], ...), evaluated in the kernel; each array is a pointer
/// to device memory. Vector loads need equal offsets of all arrays from a 16-byte boundary. Memory
/// from an allocator meets this; other arrays are read one element at a time.
template <class F, class... T>
auto transform(F f, const T*... x) {
  return Transformed<common_width<T...>(), false, F, std::index_sequence_for<T...>, T...>{
      {x}..., f, 0};
}

/// The same with f(i, x[i], y[i], ...); i is an std::int64_t.
template <class F, class... T>
auto transform_indexed(F f, const T*... x) {
  return Transformed<common_width<T...>(), true, F, std::index_sequence_for<T...>, T...>{
      {x}..., f, 0};
}

}  // namespace ladder::LADDER_VERSION::reduce_detail
