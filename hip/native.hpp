#pragma once

#include <type_traits>

#include <hip/hip_runtime.h>
#if defined(__HIP_PLATFORM_NVIDIA__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

#include "common/half.hpp"

namespace ladder::hip {

#if defined(__HIP_PLATFORM_NVIDIA__)
/// CUDA's own types of 16 bits in place of those that are only stored as such.
template <class T>
using Native =
    std::conditional_t<std::is_same_v<T, Half>, __half,
                       std::conditional_t<std::is_same_v<T, Bfloat16>, __nv_bfloat16, T>>;
#else
/// HIP's own have other names from version to version: the project's stay.
template <class T>
using Native = T;
#endif

}  // namespace ladder::hip
