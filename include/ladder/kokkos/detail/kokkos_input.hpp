#pragma once

// What is loaded, and where vectors can be.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>
#include <utility>

#include <Kokkos_Core.hpp>

#include "ladder/version.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

using Index = std::int64_t;

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
using Four = uint4;
using Two = ulonglong2;
#else
struct alignas(16) Four {
  std::uint32_t at[4];
};
struct alignas(16) Two {
  std::uint64_t at[2];
};
#endif

/// Memory for a value, which need not have a default constructor.
template <class A>
union Room {
  A value;
  KOKKOS_FUNCTION Room() {}
};

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
  static constexpr unsigned width = 1;
};
template <class T>
requires(std::is_trivially_copyable_v<T> && sizeof(T) < 16 &&
         16 % sizeof(T) == 0) struct Access<T*> {
  using element = std::remove_cv_t<T>;
  using Vector = std::conditional_t<sizeof(T) <= 4, Four, Two>;
  static constexpr unsigned width = 16 / sizeof(T);
};

/// value(first) to value(first + count - 1) as one, by halves.
template <class A, unsigned first, unsigned count, class Op, class Value>
KOKKOS_FUNCTION A combined(const Op& op, const Value& value) {
  if constexpr (count == 1) {
    return value(first);
  } else {
    return op(combined<A, first, count / 2>(op, value),
              combined<A, first + count / 2, count / 2>(op, value));
  }
}
/// As many elements, and as many values that begin at a boundary of all their bytes or of 16.
template <class A, unsigned count, class T, class Op>
KOKKOS_FUNCTION A fold(const T* at, const Op& op) {
  return combined<A, 0, count>(op, [&](unsigned k) { return static_cast<A>(at[k]); });
}
template <class A, unsigned count, class Op>
KOKKOS_FUNCTION A fold_aligned(const A* at, const Op& op) {
  constexpr std::size_t bytes = count * sizeof(A);
  constexpr std::size_t aligned = !std::has_single_bit(bytes) ? alignof(A)
                                  : bytes < 16                ? bytes
                                                              : 16;
  return fold<A, count>(static_cast<const A*>(__builtin_assume_aligned(at, aligned)), op);
}

/// Elements at a pointer from which no vector of 16 bytes begins with an element, as where these
/// are pairs of a float and an int, four bytes past such an address.
template <class T>
struct OneByOne {
  const T* x;
  KOKKOS_FUNCTION const T& operator[](Index i) const { return x[i]; }
};

/// What is loaded at once: the elements of a vector of `x`, or an element.
template <class In, class A, bool of_vectors = (Access<In>::width > 1)>
struct Loaded {
  typename Access<In>::Vector vector;
  KOKKOS_FUNCTION void load(const In& x, Index i) {
    vector = reinterpret_cast<const typename Access<In>::Vector*>(x)[i];
  }
};
template <class In, class A>
struct Loaded<In, A, false> {
  Room<A> room;
  KOKKOS_FUNCTION void load(const In& x, Index i) { room.value = static_cast<A>(x[i]); }
};
template <class In, class A, class Op>
KOKKOS_FUNCTION A value_of(const Loaded<In, A>& loaded, const Op& op) {
  if constexpr (Access<In>::width == 1) {
    return loaded.room.value;
  } else {
    using T = typename Access<In>::element;
    struct Elements {
      T at[Access<In>::width];
    };
    if constexpr (std::is_default_constructible_v<T>) {
      return fold<A, Access<In>::width>(std::bit_cast<Elements>(loaded.vector).at, op);
    } else {  // nvcc 13.0 makes nothing of a bit_cast to such a type
      Room<Elements> room;
      memcpy(&room.value, &loaded.vector, sizeof loaded.vector);
      return fold<A, Access<In>::width>(room.value.at, op);
    }
  }
}

/// An array cut where vectors can be loaded: elements [0, head) lie before the first 16-byte
/// boundary, `vectors` whole vectors follow, and elements [tail, n) are left.
struct Split {
  Index head, vectors, tail;
};
template <class In>
KOKKOS_FUNCTION Split split(const In& x, Index n) {
  constexpr unsigned width = Access<In>::width;
  if constexpr (width == 1) {
    return {0, n, n};
  } else {
    const unsigned past =
        reinterpret_cast<std::uintptr_t>(x) % 16 / sizeof(typename Access<In>::element);
    const Index until = (width - past) % width;
    const Index head = until < n ? until : n;
    const Index vectors = (n - head) / width;
    return {head, vectors, head + vectors * width};
  }
}

#pragma GCC visibility pop  // what follows, lambdas of others may hold

/// How many elements there are: as the host knows, or as it stands in the device's memory.
struct Given {
  Index n;
  KOKKOS_FUNCTION Index operator()() const { return n; }
};
template <class Integer>
struct Stored {
  const Integer* n;
  KOKKOS_FUNCTION Index operator()() const {
    const auto count = static_cast<Index>(*n);
    return count < 0 ? 0 : count;
  }
};

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
