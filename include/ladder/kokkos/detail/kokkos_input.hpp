#pragma once

// Loads, and the vector boundaries of an input.

#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "ladder/detail/vector_loads.hpp"
#include "ladder/version.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::kokkos::LADDER_VERSION::reduce_detail {

using namespace ladder::reduce_detail;

/// Reduces `count` elements, or `count` values aligned to their total size (at most 16 bytes).
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

/// One load: a vector of `x`, or an element.
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
template <class In, class A>
requires is_transformed<In>
struct Loaded<In, A, true> : Parts<In> {
};

/// Returns `f(elements)` for one vector.
template <class In, class F>
KOKKOS_FUNCTION auto with_elements(const typename Access<In>::Vector& vector, const F& f) {
  using T = typename Access<In>::element;
  struct Elements {
    T at[Access<In>::width];
  };
  if constexpr (std::is_default_constructible_v<T>) {
    return f(std::bit_cast<Elements>(vector).at);
  } else {  // nvcc 13.0 cannot bit_cast to such a type
    Room<Elements> room;
    memcpy(static_cast<void*>(&room.value), &vector, sizeof vector);
    return f(room.value.at);
  }
}

template <class In, class A, class Op>
KOKKOS_FUNCTION A value_of(const Loaded<In, A>& loaded, const Op& op) {
  if constexpr (Access<In>::width == 1) {
    return loaded.room.value;
  } else if constexpr (is_transformed<In>) {
    return combined<A, 0, Access<In>::width>(
        op, [&](unsigned k) { return static_cast<A>(loaded.value(k)); });
  } else {
    return with_elements<In>(loaded.vector,
                             [&](const auto* at) { return fold<A, Access<In>::width>(at, op); });
  }
}

#pragma GCC visibility pop  // visible: callers' lambdas may hold these

/// Element count in device memory.
template <class Integer>
struct Stored {
  const Integer* n;
  KOKKOS_FUNCTION Index operator()() const {
    const auto count = static_cast<Index>(*n);
    return count < 0 ? 0 : count;
  }
  bool is_null() const { return n == nullptr; }
};

}  // namespace ladder::kokkos::LADDER_VERSION::reduce_detail
