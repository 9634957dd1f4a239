#pragma once

// The model that a unit is compiled for: LADDER_MODEL is cuda or hip, the name of its folder and of
// its namespace.

#include <string_view>

// clang-format off
#define LADDER_TEXT(words) #words
#define LADDER_TEXT_OF(words) LADDER_TEXT(words)
/// That header of the model.
#define LADDER_HEADER(name) LADDER_TEXT_OF(LADDER_MODEL/name.hpp)
// clang-format on

#include LADDER_HEADER(backend)
#if defined(__HIP_PLATFORM_AMD__)
#include "common/device/amd/device.hpp"
#else
#include "common/device/nvidia/device.hpp"
#endif

namespace ladder::LADDER_MODEL {

inline constexpr std::string_view model_name = LADDER_TEXT_OF(LADDER_MODEL);

#if defined(__HIP_PLATFORM_AMD__)
namespace vendor = amd;
/// Threads that are scheduled together, at most.
inline constexpr unsigned widest_wave = 64;
#else
namespace vendor = nvidia;
inline constexpr unsigned widest_wave = 32;
#endif

}  // namespace ladder::LADDER_MODEL
