#pragma once

// 16-byte loads. Kokkos has no word for them: where a GPU's compiler is at work they are its
// built-in vector types, since a struct of our own is taken apart into loads of its members; on a
// host any struct of that size will do, as a thread's walk over neighbouring vectors is what counts
// there.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <Kokkos_Core.hpp>

#include "kokkos/index.hpp"

namespace ladder::kokkos {
namespace detail {

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

}  // namespace detail

/// As many elements as one load instruction can bring to a thread.
template <class T>
using Vector = std::conditional_t<sizeof(T) <= 4, detail::Four, detail::Two>;

template <class T>
inline constexpr unsigned width = sizeof(Vector<T>) / sizeof(T);

/// An array cut where vectors can be loaded: elements [0, head) lie before the first 16-byte
/// boundary, `vectors` whole vectors follow, and elements [tail, n) are left. Head and rest are
/// shorter than a vector.
struct Split {
  Index head, vectors, tail;
};

/// `x` has to be aligned for its type.
template <class T>
KOKKOS_FUNCTION Split split(const T* x, Index n) {
  const unsigned past = reinterpret_cast<std::uintptr_t>(x) % sizeof(Vector<T>) / sizeof(T);
  const Index until = (width<T> - past) % width<T>;
  const Index head = until < n ? until : n;
  const Index vectors = (n - head) / width<T>;
  return {head, vectors, head + vectors * width<T>};
}

/// The elements of one vector.
template <class T>
struct Elements {
  T at[width<T>];
};
template <class T>
KOKKOS_FUNCTION Elements<T> elements_of(const Vector<T>& vector) {
  return std::bit_cast<Elements<T>>(vector);
}

namespace detail {
/// Elements [first, first + count) of one vector as one value, pair by pair. Without a loop: nvcc
/// 13 does not unroll the loop around one.
template <class Op, unsigned first, unsigned count, class T>
KOKKOS_FUNCTION typename Op::value fold_part(const T* at) {
  if constexpr (count == 1) {
    return typename Op::value(at[first]);
  } else {
    return Op{}(fold_part<Op, first, count / 2>(at),
                fold_part<Op, first + count / 2, count / 2>(at));
  }
}
}  // namespace detail

/// The elements of one vector as one value.
template <class Op, class T>
KOKKOS_FUNCTION typename Op::value fold(const Vector<T>& vector) {
  const auto [at] = elements_of<T>(vector);
  return detail::fold_part<Op, 0, width<T>>(at);
}

}  // namespace ladder::kokkos
