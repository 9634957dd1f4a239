#pragma once

// Atomic updates of one accumulator.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "common/gpu/platform.hpp"
#include "common/operations.hpp"

namespace ladder::LADDER_MODEL {

namespace detail {

template <class A>
using Word = std::conditional_t<sizeof(A) == 4, unsigned int, LongWord>;

/// Compare-and-swap loop for updates without a hardware instruction. Stops once the update would
/// change nothing, which is soon for min and max. The first read may be stale: a failed exchange
/// returns the current value.
template <class Op, class A>
LADDER_DEVICE void update_by_swapping(A* address, A value) {
  auto* const word = reinterpret_cast<Word<A>*>(address);
  Word<A> seen = look(word);
  while (true) {
    const auto wanted = std::bit_cast<Word<A>>(Op{}(std::bit_cast<A>(seen), value));
    if (wanted == seen) return;
    const Word<A> found = swap_if(word, seen, wanted);
    if (found == seen) return;
    seen = found;
  }
}

}  // namespace detail

/// *address = Op{}(*address, value), atomic on the whole device, unordered. Integer sums, min and
/// max are one instruction; so are sums of floats and doubles if the hardware has it. The rest are
/// compare-and-swap loops.
template <class Op, class A>
LADDER_DEVICE void atomic_update(A* address, A value) {
  if constexpr (Op::kind == Operation::sum && std::is_integral_v<A>) {
    atomic_add(reinterpret_cast<detail::Word<A>*>(address), static_cast<detail::Word<A>>(value));
  } else if constexpr (Op::kind == Operation::sum) {
    atomic_add(address, value);
  } else if constexpr ((Op::kind == Operation::min || Op::kind == Operation::max) &&
                       std::is_integral_v<A>) {
    using Signed = std::make_signed_t<detail::Word<A>>;
    auto* const place = reinterpret_cast<Signed*>(address);
    if constexpr (Op::kind == Operation::min) {
      atomic_min(place, static_cast<Signed>(value));
    } else {
      atomic_max(place, static_cast<Signed>(value));
    }
  } else {
    detail::update_by_swapping<Op>(address, value);
  }
}

}  // namespace ladder::LADDER_MODEL
