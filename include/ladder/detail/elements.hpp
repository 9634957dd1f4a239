#pragma once

// Element types of inputs, and what every header of the reductions needs; shared by CUDA, HIP and
// Kokkos.

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

/// True if two or more elements fill 16 bytes.
template <class T>
concept FillsVector = std::is_trivially_copyable_v<T> && sizeof(T) < 16 && 16 % sizeof(T) == 0;
/// Load type of 16 bytes of T.
template <FillsVector T>
using VectorOf = std::conditional_t<sizeof(T) <= 4, Vector32, Vector64>;

#pragma GCC visibility pop

/// Element count known on the host.
struct Given {
  Index n;
  LADDER_FUNCTION Index operator()() const { return n; }
};

}  // namespace ladder::LADDER_VERSION::reduce_detail
