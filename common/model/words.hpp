#pragma once

// Where blocks leave their partials for the block that adds them, each with the number of the call.

#include <cstdint>

namespace ladder {

/// Words in device memory that keep what is in them from run to run: the first one the number of
/// the next call, which is never 0; the others are 0 before the first call. Calls with the same
/// words run one after another.
struct Words {
  std::uint64_t* at;
  std::uint32_t count;  ///< behind the first one
};

/// That an accumulator takes: four bytes of it in each, beside the number.
template <class A>
inline constexpr unsigned words_of = (sizeof(A) + 3) / 4;

}  // namespace ladder
