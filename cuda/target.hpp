#pragma once

// Target architecture of the current compilation.

namespace ladder::cuda {

/// Compute capability, major * 10 + minor; 0 in host code. Code that needs more is discarded by `if
/// constexpr`; it never runs, because its entry's `Need` excludes the device.
#if defined(__CUDA_ARCH__)
inline constexpr unsigned target = __CUDA_ARCH__ / 10;
#else
inline constexpr unsigned target = 0;
#endif

}  // namespace ladder::cuda
