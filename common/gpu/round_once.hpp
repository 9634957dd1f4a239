#pragma once

// Rounding of an exact sum by the last block of CUDA and HIP.

#include <cstdint>

#include "common/gpu/exact_digits.hpp"

namespace ladder::LADDER_MODEL {

/// Rounds the sum of all blocks once to *result. Thread 0 passes the windows' sum in units of
/// 2^lowest. All threads of the last block must call it, when the digits are complete; it zeroes
/// them.
template <unsigned block, class A>
__device__ void round_once(const exact::Wide& sum, int lowest, std::int64_t* digits, A* result) {
  __shared__ exact::Wide all;
  __shared__ std::int64_t digit[exact::digits];
  const unsigned tid = threadIdx.x;
  if (tid == 0) all = sum;
  __syncthreads();
  const bool in_digits = (all.seen & exact::in_digits) != 0;
  if (in_digits) {
    for (unsigned i = tid; i < exact::digits; i += block) digit[i] = exact::folded(digits, i);
    __syncthreads();
    for (unsigned i = tid; i < exact::copies * exact::stride; i += block) digits[i] = 0;
  }
  if (tid != 0) return;
  round_to(result, all, lowest, in_digits, digit);
}

}  // namespace ladder::LADDER_MODEL
