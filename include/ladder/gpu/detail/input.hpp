#pragma once

// Loads, and how the input is split among threads.

#include <type_traits>

#include "ladder/detail/vector_loads.hpp"
#include "ladder/gpu/detail/gpu_platform.hpp"
#include "ladder/gpu/detail/gpu_tree.hpp"
#include "ladder/gpu/gpu_operations.hpp"

#pragma GCC visibility push(hidden)
namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail {

/// True if 16 bytes hold 16 elements whose minimum or maximum is computed.
template <class T, class A, class Op>
inline constexpr bool of_bytes = std::is_same_v<T, signed char>&& std::is_same_v<A, signed char> &&
                                 (std::is_same_v<Op, Minimum> || std::is_same_v<Op, Maximum>);

/// Minimum or maximum of 16 signed bytes, in pairs of signed 16-bit halves. A half's upper byte
/// decides, whatever its lower byte is; the lower bytes take a second pass, shifted up. Takes a
/// third of the instructions of 16 single bytes.
template <bool greater>
__device__ inline int extreme_of_bytes(const Vector32& bytes) {
  const auto better = [](unsigned a, unsigned b) { return extreme_of_twos<greater>(a, b); };
  const unsigned upper = better(better(bytes.x, bytes.y), better(bytes.z, bytes.w));
  const unsigned lower =
      better(better(bytes.x << 8, bytes.y << 8), better(bytes.z << 8, bytes.w << 8));
  const unsigned two = better(upper, lower);
  const unsigned one = better(two, two << 16);
  return static_cast<int>(one) >> 24;
}

/// One load: a vector of `x`, or an element.
template <class In, class A, bool of_vectors = (Access<In>::width > 1)>
struct Loaded {
  typename Access<In>::Vector vector;
  /// `once`: the L2 cache need not keep the vector.
  __device__ void load(In x, Index i, bool once = false) {
    const auto* const at = reinterpret_cast<const typename Access<In>::Vector*>(x) + i;
    vector = once ? load_once(at) : *at;
  }
};
template <class In, class A>
struct Loaded<In, A, false> {
  Room<A> room;
  __device__ void load(In x, Index i, bool = false) { room.value = reduce_detail::cast<A>(x[i]); }
};
template <class In, class A>
requires is_transformed<In>
struct Loaded<In, A, true> : Parts<In> {
  __device__ void load(const In& x, Index i, bool = false) { Parts<In>::load(x, i); }
};

/// Returns `f(elements)` for one vector. The elements may lack a default constructor.
template <class In, class F>
__device__ auto with_elements(const typename Access<In>::Vector& vector, const F& f) {
  union Elements {
    typename Access<In>::element at[Access<In>::width];
    __device__ Elements() {}
  } elements;
  __builtin_memcpy(elements.at, &vector, sizeof vector);
  return f(elements.at);
}

template <class In, class A, class Op>
__device__ A value_of(const Loaded<In, A>& loaded, Op op) {
  if constexpr (Access<In>::width == 1) {
    return loaded.room.value;
  } else if constexpr (is_transformed<In>) {
    return combined<A, 0, Access<In>::width>(
        op, [&](unsigned k) { return reduce_detail::cast<A>(loaded.value(k)); });
  } else if constexpr (of_bytes<typename Access<In>::element, A, Op>) {
    return static_cast<A>(extreme_of_bytes<std::is_same_v<Op, Maximum>>(loaded.vector));
  } else {
    return with_elements<In>(loaded.vector,
                             [&](const auto* at) { return fold<Access<In>::width, A>(at, op); });
  }
}

/// The calling thread's share of `count` vectors from `x` on: tiles of `vectors` per thread, one
/// grid apart. All loads of a tile are in flight before the first is used.
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
      for (unsigned k = 0; k < vectors; ++k)
        mine = op(mine, reduce_detail::value_of(loaded[k], op));
    } else {
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) {
        const Index there = i + k * block;
        // Branch-free: a branch would serialize the loads.
        loaded[k].load(x, there < count ? there : count - 1);
      }
#pragma unroll
      for (unsigned k = 0; k < vectors; ++k) {
        if (i + k * block < count) mine = op(mine, reduce_detail::value_of(loaded[k], op));
      }
    }
  }
  return mine;
}

template <unsigned block, unsigned vectors, bool alone, class In, class A, class Op>
__device__ A share_of(In x, Index n, A mine, Op op) {
  if constexpr (Access<In>::width == 1) {
    return walk<block, vectors, alone>(x, n, mine, op);
  } else {
    // Elements before the first 16-byte boundary and after the last: one at a time, by the last
    // block, which has to wait for other blocks anyway. They follow its vectors, so that no vector
    // load waits.
    const auto at = reduce_detail::split(x, n);
    mine = walk<block, vectors, alone>(x + at.head, at.vectors, mine, op);
    if (alone || blockIdx.x == gridDim.x - 1) {
      const Index i = threadIdx.x;
      if (i < at.head) mine = op(mine, reduce_detail::cast<A>(x[i]));
      if (i < n - at.tail) mine = op(mine, reduce_detail::cast<A>(x[at.tail + i]));
    }
    return mine;
  }
}

#pragma GCC visibility pop  // visible: callers' lambdas may hold these

/// Element count in device memory.
template <class Integer>
struct Stored {
  const Integer* n;
  __device__ Index operator()() const { return static_cast<Index>(*n); }  // negative: no elements
  bool is_null() const { return n == nullptr; }
};

}  // namespace ladder::LADDER_MODEL::LADDER_VERSION::reduce_detail
