#pragma once

#include <type_traits>

#include "common/operations.hpp"

namespace ladder {

/// What a library is told an accumulator is: integer sums and products wrap, so they are done
/// without a sign.
template <class Case>
using LibraryValue =
    typename std::conditional_t<std::is_integral_v<typename Case::accumulator> &&
                                    (Case::operation == Operation::sum ||
                                     Case::operation == Operation::product),
                                std::make_unsigned<typename Case::accumulator>,
                                std::type_identity<typename Case::accumulator>>::type;

}  // namespace ladder
