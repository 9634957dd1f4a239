#pragma once

// Input types and how they are loaded; shared by CUDA, HIP and Kokkos.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "ladder/version.hpp"

/// LADDER_FUNCTION marks host and device functions. LADDER_UNCHECKED precedes a function that calls
/// the caller's functor, which may be device-only; it silences nvcc's warning.
#if defined(__CUDACC__) || defined(__HIPCC__) || defined(__HIP__)
#define LADDER_FUNCTION __host__ __device__
#else
#define LADDER_FUNCTION
#endif
#if defined(__CUDACC__)
#define LADDER_UNCHECKED _Pragma("nv_exec_check_disable")
#else
#define LADDER_UNCHECKED
#endif

namespace ladder::LADDER_VERSION::reduce_detail {

using Index = std::int64_t;

/// 16 bytes: one load.
#if defined(__CUDACC__) || defined(__HIPCC__) || defined(__HIP__)
using Vector32 = uint4;
using Vector64 = ulonglong2;
#else
struct alignas(16) Vector32 {
  std::uint32_t x, y, z, w;
};
struct alignas(16) Vector64 {
  std::uint64_t x, y;
};
#endif

#pragma GCC visibility push(hidden)

/// Storage for a value whose type may lack a default constructor.
template <class A>
union Room {
  A value;
  LADDER_FUNCTION Room() {}
};

/// Type of element `x[i]`; an iterator's value type, since some iterators return a proxy.
template <class In>
struct ElementOf {
  using type = std::remove_cvref_t<decltype(std::declval<In>()[Index{}])>;
};
template <class In>
requires(!std::is_void_v<typename std::iterator_traits<In>::value_type>) struct ElementOf<In> {
  using type = typename std::iterator_traits<In>::value_type;
};

/// Elements read one at a time, because no 16-byte boundary coincides with an element. Example:
/// pairs of float and int that begin four bytes past a boundary.
template <class T>
struct OneByOne {
  const T* x;
  LADDER_FUNCTION const T& operator[](Index i) const { return x[i]; }
  LADDER_FUNCTION OneByOne operator+(Index n) const { return {x + n}; }
};

#pragma GCC visibility pop  // visible: callers' lambdas may hold these

template <std::size_t place, class T>
struct Array {
  const T* x;
};

/// True if two or more elements fill 16 bytes.
template <class T>
concept FillsVector = std::is_trivially_copyable_v<T> && sizeof(T) < 16 && 16 % sizeof(T) == 0;
/// Load type of 16 bytes of T.
template <FillsVector T>
using VectorOf = std::conditional_t<sizeof(T) <= 4, Vector32, Vector64>;

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
  In x;
  Index first;
  LADDER_FUNCTION Parts() {}
  LADDER_FUNCTION void load(const In& from, Index i) {
    (Part<place, T, width>::load(from.Array<place, T>::x, i), ...);
    x = from;
    first = i * width;
  }
  LADDER_UNCHECKED
  LADDER_FUNCTION decltype(auto) value(unsigned k) const {
    return x.value(first + k, Part<place, T, width>::at(k)...);
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

/// Element count known on the host.
struct Given {
  Index n;
  LADDER_FUNCTION Index operator()() const { return n; }
};

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
