#pragma once

// Name and vendor of the model that a translation unit is compiled for.

#include <string_view>

#include "common/gpu/rungs.hpp"
#if defined(__HIP_PLATFORM_AMD__)
#include "common/device/amd/amd_device.hpp"
#else
#include "common/device/nvidia/nvidia_device.hpp"
#endif

#define LADDER_TEXT(words) #words
#define LADDER_TEXT_OF(words) LADDER_TEXT(words)

namespace ladder::LADDER_MODEL {

inline constexpr std::string_view model_name = LADDER_TEXT_OF(LADDER_MODEL);

#if defined(__HIP_PLATFORM_AMD__)
namespace vendor = amd;
/// Largest number of threads that are scheduled together.
inline constexpr unsigned widest_wave = 64;
#else
namespace vendor = nvidia;
inline constexpr unsigned widest_wave = 32;
#endif

}  // namespace ladder::LADDER_MODEL
