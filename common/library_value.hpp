#pragma once

#include <type_traits>

#include "common/operations.hpp"

namespace ladder {

/// Accumulator type passed to a library: unsigned for integer sums and products, since they wrap.
template <class Case>
using LibraryValue =
    typename std::conditional_t<std::is_integral_v<typename Case::accumulator> &&
                                    (Case::operation == Operation::sum ||
                                     Case::operation == Operation::product),
                                std::make_unsigned<typename Case::accumulator>,
                                std::type_identity<typename Case::accumulator>>::type;

}  // namespace ladder
