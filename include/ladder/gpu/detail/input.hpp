#pragma once

// What is loaded, and which thread has what.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "ladder/gpu/detail/gpu_platform.hpp"
#include "ladder/gpu/detail/gpu_words.hpp"
#include "ladder/gpu/gpu_operations.hpp"
#include "ladder/gpu/transform.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// What `x[i]` stands for: of an iterator its value type, since some return another's place.
template <class In>
struct ElementOf {
  using type = std::remove_cvref_t<decltype(std::declval<In>()[Index{}])>;
};
template <class In>
requires(!std::is_void_v<typename std::iterator_traits<In>::value_type>) struct ElementOf<In> {
  using type = typename std::iterator_traits<In>::value_type;
};

/// Sixteen bytes of elements behind a pointer, one load; else an element.
template <class In>
struct Access {
  using element = typename ElementOf<In>::type;
  static constexpr unsigned width = 1, arrays = 1;
  static constexpr std::size_t bytes = sizeof(element);  ///< read for each element
};
template <class T>
requires(std::is_trivially_copyable_v<T> && sizeof(T) < 16 &&
         16 % sizeof(T) == 0) struct Access<T*> {
  using element = std::remove_cv_t<T>;
  using Vector = std::conditional_t<sizeof(T) <= 4, uint4, ulonglong2>;
  static constexpr unsigned width = 16 / sizeof(T), arrays = 1;
  static constexpr std::size_t bytes = sizeof(T);
};
template <unsigned elements, bool indexed, class F, class Places, class... T>
struct Access<Transformed<elements, indexed, F, Places, T...>> {
  using In = Transformed<elements, indexed, F, Places, T...>;
  static constexpr unsigned width = elements, arrays = In::arrays;
  static constexpr std::size_t bytes = In::bytes;
};

/// Elements at a pointer from which no vector of 16 bytes begins with an element, as where these
/// are pairs of a float and an int, four bytes past such an address.
template <class T>
struct OneByOne {
  const T* x;
  __device__ const T& operator[](Index i) const { return x[i]; }
};

template <unsigned first, unsigned count, class A, class T, class Op>
__device__ A fold(const T* at, Op op) {
  if constexpr (count == 1) {
    return cast<A>(at[first]);
  } else {
    return op(fold<first, count / 2, A>(at, op), fold<first + count / 2, count / 2, A>(at, op));
  }
}

/// Whether 16 bytes of T are 16 of them, of which the least or the largest is wanted.
template <class T, class A, class Op>
inline constexpr bool of_bytes = std::is_same_v<T, signed char>&& std::is_same_v<A, signed char> &&
                                 (std::is_same_v<Op, Minimum> || std::is_same_v<Op, Maximum>);

/// It, by twos of 16 bits with a sign: of these the upper byte decides, whatever stands below it,
/// so that the lower bytes are asked for once more, moved up. A third of the instructions that
/// 16 bytes one by one take.
template <bool greater>
__device__ inline int extreme_of_bytes(const uint4& bytes) {
  const auto better = [](unsigned a, unsigned b) { return extreme_of_twos<greater>(a, b); };
  const unsigned upper = better(better(bytes.x, bytes.y), better(bytes.z, bytes.w));
  const unsigned lower =
      better(better(bytes.x << 8, bytes.y << 8), better(bytes.z << 8, bytes.w << 8));
  const unsigned two = better(upper, lower);
  const unsigned one = better(two, two << 16);
  return static_cast<int>(one) >> 24;
}

/// What is loaded at once: the elements of a vector of `x`, or an element.
template <class In, class A, bool of_vectors = (Access<In>::width > 1)>
struct Loaded {
  typename Access<In>::Vector vector;
  __device__ void load(In x, Index i) {
    vector = reinterpret_cast<const typename Access<In>::Vector*>(x)[i];
  }
};
template <class In, class A>
struct Loaded<In, A, false> {
  Room<A> room;
  __device__ void load(In x, Index i) { room.value = cast<A>(x[i]); }
};
/// Of one of several arrays: `width` elements.
template <std::size_t place, class T, unsigned width>
struct Part {
  static constexpr std::size_t bytes = width * sizeof(T);
  using Small = std::conditional_t<
      bytes == 8, uint2,
      std::conditional_t<bytes == 4, unsigned,
                         std::conditional_t<bytes == 2, unsigned short, unsigned char>>>;
  using Vector = std::conditional_t<bytes == 16, typename Access<T*>::Vector, Small>;
  Vector vector;
  __device__ void load(const T* x, Index i) { vector = reinterpret_cast<const Vector*>(x)[i]; }
  __device__ const T& at(unsigned k) const { return reinterpret_cast<const T*>(&vector)[k]; }
};
template <unsigned width, bool indexed, class F, std::size_t... place, class... T, class A>
struct Loaded<Transformed<width, indexed, F, std::index_sequence<place...>, T...>, A, true>
    : Part<place, T, width>... {
  using In = Transformed<width, indexed, F, std::index_sequence<place...>, T...>;
  In x;
  Index first;
  __device__ Loaded() {}
  __device__ void load(const In& from, Index i) {
    (Part<place, T, width>::load(from.Array<place, T>::x, i), ...);
    x = from;
    first = i * width;
  }
  __device__ A value(unsigned k) const {
    return cast<A>(x.value(first + k, Part<place, T, width>::at(k)...));
  }
};
/// value(first) to value(first + count - 1) as one, by halves.
template <unsigned first, unsigned count, class A, class Value, class Op>
__device__ A combined(const Value& value, Op op) {
  if constexpr (count == 1) {
    return value(first);
  } else {
    return op(combined<first, count / 2, A>(value, op),
              combined<first + count / 2, count / 2, A>(value, op));
  }
}

template <class In>
inline constexpr bool is_transformed = false;
template <unsigned width, bool indexed, class F, class Places, class... T>
inline constexpr bool is_transformed<Transformed<width, indexed, F, Places, T...>> = true;

template <class In, class A, class Op>
__device__ A value_of(const Loaded<In, A>& loaded, Op op) {
  if constexpr (Access<In>::width == 1) {
    return loaded.room.value;
  } else if constexpr (is_transformed<In>) {
    return combined<0, Access<In>::width, A>([&](unsigned k) { return loaded.value(k); }, op);
  } else if constexpr (of_bytes<typename Access<In>::element, A, Op>) {
    return static_cast<A>(extreme_of_bytes<std::is_same_v<Op, Maximum>>(loaded.vector));
  } else {
    using T = typename Access<In>::element;
    union Elements {
      T at[Access<In>::width];
      __device__ Elements() {}
    } elements;
    __builtin_memcpy(elements.at, &loaded.vector, sizeof loaded.vector);
    return fold<0, Access<In>::width, A>(elements.at, op);
  }
}

/// The calling thread's share of `count` vectors from `x` on: tiles of `vectors` for each thread, a
/// grid apart. All loads of a tile are under way before the first is used.
template <unsigned block, unsigned vectors, bool alone, class In, class A, class Op>
__device__ A walk(In x, Index count, A mine, Op op) {
  constexpr Index tile = Index{block} * vectors;
  const Index stride = alone ? tile : gridDim.x * tile;
#pragma unroll 1
  for (Index begin = alone ? 0 : blockIdx.x * tile; begin < count; begin += stride) {
    const Index i = begin + threadIdx.x;
    Loaded<In, A> loaded[vectors];
    if (begin + tile <= count) {
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) loaded[k].load(x, i + k * block);
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) mine = op(mine, value_of(loaded[k], op));
    } else {
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) {
        const Index there = i + k * block;
        // No branch, or each load would wait.
        loaded[k].load(x, there < count ? there : count - 1);
      }
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) {
        if (i + k * block < count) mine = op(mine, value_of(loaded[k], op));
      }
    }
  }
  return mine;
}

/// How many elements past a boundary all arrays begin: as the first of them does.
template <unsigned width, bool indexed, class F, std::size_t... place, class T, class... Others>
__device__ unsigned past_of_first(
    const Transformed<width, indexed, F, std::index_sequence<place...>, T, Others...>& x) {
  const auto address = reinterpret_cast<std::uintptr_t>(static_cast<const Array<0, T>&>(x).x);
  return static_cast<unsigned>(address / sizeof(T) % width);
}

template <unsigned block, unsigned vectors, bool alone, class In, class A, class Op>
__device__ A share_of(In x, Index n, A mine, Op op) {
  constexpr unsigned width = Access<In>::width;
  if constexpr (width == 1) {
    return walk<block, vectors, alone>(x, n, mine, op);
  } else {
    // Up to the first boundary of 16 bytes, and behind the last, one element at a time: by the last
    // block, since it is the one that waits for others, and when its vectors are there, so that no
    // load of theirs waits.
    unsigned past;
    if constexpr (is_transformed<In>) {
      past = past_of_first(x);
    } else {
      using T = typename Access<In>::element;
      past = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(x) % 16 / sizeof(T));
    }
    const Index until = (width - past) % width;
    const Index head = until < n ? until : n;
    const Index count = (n - head) / width, tail = head + count * width;
    mine = walk<block, vectors, alone>(x + head, count, mine, op);
    if (alone || blockIdx.x == gridDim.x - 1) {
      const Index i = threadIdx.x;
      if (i < head) mine = op(mine, cast<A>(x[i]));
      if (i < n - tail) mine = op(mine, cast<A>(x[tail + i]));
    }
    return mine;
  }
}

#pragma GCC visibility pop  // what follows, lambdas of others may hold

/// How many elements there are: as the host knows, or as it stands in the device's memory.
struct Given {
  Index n;
  __device__ Index operator()() const { return n; }
};
template <class Integer>
struct Stored {
  const Integer* n;
  __device__ Index operator()() const { return static_cast<Index>(*n); }  // of a negative one, none
};

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
