#pragma once

// The model that a unit is compiled for: LADDER_MODEL is cuda or hip, the name of its folder and of
// its namespace.

#include <string_view>

#define LADDER_TEXT(words) #words
#define LADDER_HEADER(path) LADDER_TEXT(path)
#include LADDER_HEADER(LADDER_MODEL/backend.hpp)
#if defined(__HIP_PLATFORM_AMD__)
#include "common/device/amd/device.hpp"
#else
#include "common/device/nvidia/device.hpp"
#endif

namespace ladder::LADDER_MODEL {

inline constexpr std::string_view model_name = LADDER_HEADER(LADDER_MODEL);

#if defined(__HIP_PLATFORM_AMD__)
namespace vendor = amd;
/// Threads that are scheduled together, at most.
inline constexpr unsigned widest_wave = 64;
#else
namespace vendor = nvidia;
inline constexpr unsigned widest_wave = 32;
#endif

}  // namespace ladder::LADDER_MODEL
