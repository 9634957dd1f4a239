#pragma once

#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "common/half.hpp"

namespace ladder::cuda {

/// CUDA's own types of 16 bits in place of those that are only stored as such.
template <class T>
using Native =
    std::conditional_t<std::is_same_v<T, Half>, __half,
                       std::conditional_t<std::is_same_v<T, Bfloat16>, __nv_bfloat16, T>>;

}  // namespace ladder::cuda
