#pragma once

// Kokkos's reducers by operation, for the library rungs.

#include <type_traits>

#include <Kokkos_Core.hpp>

#include "common/gpu/index.hpp"
#include "common/library_value.hpp"
#include "common/operations.hpp"
#include "common/problem.hpp"
#include "kokkos/kokkos_queue.hpp"

namespace ladder::kokkos {
namespace detail {

template <Operation operation, class A, class Memory>
struct Own;
template <class A, class M>
struct Own<Operation::sum, A, M> {
  using type = Kokkos::Sum<A, M>;
};
template <class A, class M>
struct Own<Operation::product, A, M> {
  using type = Kokkos::Prod<A, M>;
};
template <class A, class M>
struct Own<Operation::min, A, M> {
  using type = Kokkos::Min<A, M>;
};
template <class A, class M>
struct Own<Operation::max, A, M> {
  using type = Kokkos::Max<A, M>;
};
template <class A, class M>
struct Own<Operation::bit_and, A, M> {
  using type = Kokkos::BAnd<A, M>;
};
template <class A, class M>
struct Own<Operation::bit_or, A, M> {
  using type = Kokkos::BOr<A, M>;
};

}  // namespace detail

/// A 16-bit floating-point number with the order that Kokkos's Min and Max need.
template <class T>
struct Ordered {
  T value;
  Ordered() = default;
  KOKKOS_FUNCTION constexpr explicit Ordered(T number) : value(number) {}
  friend KOKKOS_FUNCTION constexpr bool operator<(Ordered a, Ordered b) {
    return static_cast<float>(a.value) < static_cast<float>(b.value);
  }
  friend KOKKOS_FUNCTION constexpr bool operator>(Ordered a, Ordered b) { return b < a; }
};

/// Result type in Kokkos: unsigned for integer sums and products, which wrap.
template <class Case>
using Carried = std::conditional_t<sizeof(typename Case::accumulator) == 2,
                                   Ordered<typename Case::accumulator>, LibraryValue<Case>>;

/// Kokkos's reducer for a case, with a result in `Memory`.
template <class Case, class Memory>
using Reducer = typename detail::Own<Case::operation, Carried<Case>, Memory>::type;

/// Operations with correct Kokkos reducers: it has none for exclusive or, and up to 5.0.2 the one
/// for `and` starts from 0.
using Reducible =
    decltype(Each<Operation::sum, Operation::product, Operation::min, Operation::max>::OverAll{} +
             Each<Operation::bit_or>::OverIntegers{} +
             std::conditional_t<Kokkos::reduction_identity<std::int32_t>::band() == -1,
                                Each<Operation::bit_and>::OverIntegers, Cases<>>{});

/// Combines one element with a result, as a user would write it.
template <class Case>
KOKKOS_FUNCTION void join(Carried<Case>& mine, const typename Case::element& element) {
  const auto value = static_cast<Carried<Case>>(element);
  if constexpr (Case::operation == Operation::sum) mine += value;
  if constexpr (Case::operation == Operation::product) mine *= value;
  if constexpr (Case::operation == Operation::min) mine = value < mine ? value : mine;
  if constexpr (Case::operation == Operation::max) mine = value > mine ? value : mine;
  if constexpr (Case::operation == Operation::bit_and) mine &= value;
  if constexpr (Case::operation == Operation::bit_or) mine |= value;
}

/// The result as an unmanaged View of `Memory`.
template <class A, class Memory>
using Result = Kokkos::View<A, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Minimum memory traffic of a library reduction of n elements. Its longest chain is a thread's
/// equal share, the results of all threads, and a block's tile.
template <class Case>
Pass library_pass(const Queue& queue, std::size_t n) {
  const std::size_t threads = queue.concurrency();
  return {.read_bytes = n * sizeof(typename Case::element),
          .written_bytes = sizeof(typename Case::accumulator),
          .depth = ceil_div(n, threads) + threads + 1024};
}

}  // namespace ladder::kokkos

template <class T>
struct Kokkos::reduction_identity<ladder::kokkos::Ordered<T>> {
  using Value = ladder::kokkos::Ordered<T>;
  KOKKOS_FUNCTION static constexpr Value min() {
    return Value(ladder::Function<ladder::Operation::min, T>::identity());
  }
  KOKKOS_FUNCTION static constexpr Value max() {
    return Value(ladder::Function<ladder::Operation::max, T>::identity());
  }
};
