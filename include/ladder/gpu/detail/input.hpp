#pragma once

// What is loaded, and which thread has what.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "ladder/gpu/detail/platform.hpp"
#include "ladder/gpu/operations.hpp"

namespace ladder::LADDER_MODEL::reduce_detail {

using Index = std::int64_t;

/// Sixteen bytes of elements behind a pointer, one load; else an element.
template <class In>
struct Access {
  using element = std::remove_cvref_t<decltype(std::declval<In>()[Index{}])>;
  static constexpr unsigned width = 1;
};
template <class T>
requires(std::is_trivially_copyable_v<T> && sizeof(T) < 16 &&
         16 % sizeof(T) == 0) struct Access<T*> {
  using element = std::remove_cv_t<T>;
  using Vector = std::conditional_t<sizeof(T) <= 4, uint4, ulonglong2>;
  static constexpr unsigned width = 16 / sizeof(T);
};

template <unsigned first, unsigned count, class A, class T, class Op>
__device__ A fold(const T* at, Op op) {
  if constexpr (count == 1) {
    return static_cast<A>(at[first]);
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

/// The elements of the `i`th vector of `x`, or the `i`th element, as it is loaded.
template <class In>
__device__ auto load(In x, Index i) {
  if constexpr (Access<In>::width == 1) {
    return x[i];
  } else {
    return reinterpret_cast<const typename Access<In>::Vector*>(x)[i];
  }
}
template <class In, class A, class Loaded, class Op>
__device__ A value_of(const Loaded& loaded, Op op) {
  if constexpr (Access<In>::width == 1) {
    return static_cast<A>(loaded);
  } else if constexpr (of_bytes<typename Access<In>::element, A, Op>) {
    return static_cast<A>(extreme_of_bytes<std::is_same_v<Op, Maximum>>(loaded));
  } else {
    using T = typename Access<In>::element;
    T elements[Access<In>::width];
    __builtin_memcpy(elements, &loaded, sizeof loaded);
    return fold<0, Access<In>::width, A>(elements, op);
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
    decltype(load(x, i)) loaded[vectors];
    if (begin + tile <= count) {
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) loaded[k] = load(x, i + k * block);
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) mine = op(mine, value_of<In, A>(loaded[k], op));
    } else {
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) {
        const Index there = i + k * block;
        loaded[k] =
            load(x, there < count ? there : count - 1);  // no branch, or each load would wait
      }
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) {
        if (i + k * block < count) mine = op(mine, value_of<In, A>(loaded[k], op));
      }
    }
  }
  return mine;
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
    using T = typename Access<In>::element;
    const auto past = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(x) % 16 / sizeof(T));
    const Index until = (width - past) % width;
    const Index head = until < n ? until : n;
    const Index count = (n - head) / width, tail = head + count * width;
    mine = walk<block, vectors, alone>(x + head, count, mine, op);
    if (alone || blockIdx.x == gridDim.x - 1) {
      const Index i = threadIdx.x;
      if (i < head) mine = op(mine, static_cast<A>(x[i]));
      if (i < n - tail) mine = op(mine, static_cast<A>(x[tail + i]));
    }
    return mine;
  }
}

struct Given {
  Index n;
  __device__ Index operator()() const { return n; }
};
struct Stored {
  const std::size_t* n;
  __device__ Index operator()() const { return static_cast<Index>(*n); }
};

}  // namespace ladder::LADDER_MODEL::reduce_detail
