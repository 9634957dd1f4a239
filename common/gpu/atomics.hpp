#pragma once

// Atomic updates of one accumulator, and the ticket by which a block learns that it is the last.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "common/gpu/platform.hpp"
#include "common/operations.hpp"

namespace ladder::LADDER_MODEL {

namespace detail {

template <class A>
using Word = std::conditional_t<sizeof(A) == 4, unsigned int, LongWord>;

/// The loop for what the hardware has no instruction for: it stops as soon as the update would
/// change nothing, which for min and max is soon. The first look may be out of date, and may be so:
/// the exchange then says what is there.
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

/// *address = Op{}(*address, value), atomic on the whole device, unordered. Sums and the min and
/// max of integers are one instruction; so are sums of floats and doubles where the hardware has
/// it. The rest are compare-and-swap loops.
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
