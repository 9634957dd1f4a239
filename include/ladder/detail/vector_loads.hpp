#pragma once

// Inputs of a reduction, read 16 bytes at a time where their addresses allow; shared by CUDA, HIP
// and Kokkos.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "ladder/detail/transformed.hpp"

namespace ladder::LADDER_VERSION::reduce_detail {

#pragma GCC visibility push(hidden)

/// Load width and element type of an input: 16 bytes for a pointer, `width` elements of each of
/// several arrays, else one element. Several arrays have no element type, since the host cannot
/// call a device-only function to find it.
template <class In>
struct Access {
  using element = typename ElementOf<In>::type;
  static constexpr unsigned width = 1, arrays = 1;
  static constexpr std::size_t bytes = sizeof(element);  ///< read per element
};
template <FillsVector T>
struct Access<T*> {
  using element = std::remove_cv_t<T>;
  using Vector = VectorOf<T>;
  static constexpr unsigned width = 16 / sizeof(T), arrays = 1;
  static constexpr std::size_t bytes = sizeof(T);
};
template <unsigned elements, bool indexed, class F, class Places, class... T>
struct Access<Transformed<elements, indexed, F, Places, T...>> {
  using In = Transformed<elements, indexed, F, Places, T...>;
  static constexpr unsigned width = elements, arrays = In::arrays;
  static constexpr std::size_t bytes = In::bytes;
};

/// Elements by which the address exceeds a 16-byte boundary.
template <class In>
LADDER_FUNCTION unsigned past_boundary(const In& x) {
  if constexpr (is_transformed<In>) {
    return x.past_of_first();
  } else {
    using T = typename Access<In>::element;
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(x) % 16 / sizeof(T));
  }
}
template <class In>
bool begins_at_a_boundary(const In& x) {
  if constexpr (is_transformed<In>) {
    return x.past() == 0;
  } else {
    return reinterpret_cast<std::uintptr_t>(x) % 16 == 0;
  }
}

/// An array split for vector loads: elements [0, head) precede the first 16-byte boundary,
/// `vectors` whole vectors follow, and elements [tail, n) remain.
template <class Count>
struct SplitOf {
  Count head, vectors, tail;
};
template <class In, class Count>
LADDER_FUNCTION SplitOf<Count> split(const In& x, Count n) {
  constexpr unsigned width = Access<In>::width;
  if constexpr (width == 1) {
    return {0, n, n};
  } else {
    const Count until = (width - past_boundary(x)) % width;
    const Count head = until < n ? until : n;
    const Count vectors = (n - head) / width;
    return {head, vectors, head + vectors * width};
  }
}

/// `width` elements of one array, loaded at once.
template <std::size_t place, class T, unsigned width>
struct Part {
  static constexpr std::size_t bytes = width * sizeof(T);
  template <std::size_t size>
  using Unsigned = std::conditional_t<
      size == 8, std::uint64_t,
      std::conditional_t<size == 4, std::uint32_t,
                         std::conditional_t<size == 2, std::uint16_t, std::uint8_t>>>;
  using Vector = std::conditional_t<bytes == 16, VectorOf<T>, Unsigned<bytes>>;
  Vector vector;
  LADDER_FUNCTION void load(const T* x, Index i) { vector = reinterpret_cast<const Vector*>(x)[i]; }
  LADDER_FUNCTION const T& at(unsigned k) const { return reinterpret_cast<const T*>(&vector)[k]; }
};

/// `width` elements of every array, loaded at once.
template <class In>
struct Parts;
template <unsigned width, bool indexed, class F, std::size_t... place, class... T>
struct Parts<Transformed<width, indexed, F, std::index_sequence<place...>, T...>>
    : Part<place, T, width>... {
  using In = Transformed<width, indexed, F, std::index_sequence<place...>, T...>;
  Room<In> x;  ///< its function may be a lambda with captures, which cannot be assigned
  Index first;
  LADDER_FUNCTION Parts() {}
  LADDER_FUNCTION void load(const In& from, Index i) {
    (Part<place, T, width>::load(from.Array<place, T>::x, i), ...);
    __builtin_memcpy(static_cast<void*>(&x.value), &from, sizeof from);
    first = i * width;
  }
  LADDER_UNCHECKED
  LADDER_FUNCTION decltype(auto) value(unsigned k) const {
    return x.value.value(first + k, Part<place, T, width>::at(k)...);
  }
};

/// Combines value(first) to value(first + count - 1) as a balanced tree.
LADDER_UNCHECKED
template <class A, unsigned first, unsigned count, class Op, class Value>
LADDER_FUNCTION A combined(const Op& op, const Value& value) {
  if constexpr (count == 1) {
    return value(first);
  } else {
    return op(combined<A, first, count / 2>(op, value),
              combined<A, first + count / 2, count / 2>(op, value));
  }
}

template <class T>
bool is_null(const T& x) {
  if constexpr (std::is_pointer_v<T>) {
    return x == nullptr;
  } else if constexpr (requires { x.is_null(); }) {
    return x.is_null();
  } else {
    return false;
  }
}

/// True if an element's address may not be a multiple of its size.
template <class In>
inline constexpr bool is_underaligned = false;
template <class T>
inline constexpr bool is_underaligned<T*> = alignof(T) < sizeof(T);

/// True if `x` may have no 16-byte boundary that coincides with an element of every array.
template <class In>
inline constexpr bool may_lack_boundaries = Access<In>::width > 1 &&
                                            (is_transformed<In> || is_underaligned<In>);
template <class In>
bool has_boundaries(const In& x) {
  if constexpr (!may_lack_boundaries<In>) {
    return true;
  } else if constexpr (is_transformed<In>) {
    return x.past() != Access<In>::width;
  } else {
    return reinterpret_cast<std::uintptr_t>(x) % sizeof(typename Access<In>::element) == 0;
  }
}

/// The same input, read one element at a time.
template <class In>
auto one_by_one(const In& x) {
  if constexpr (is_transformed<In>) {
    return x.one_by_one();
  } else {
    return OneByOne<typename Access<In>::element>{x};
  }
}

#pragma GCC visibility pop

}  // namespace ladder::LADDER_VERSION::reduce_detail
