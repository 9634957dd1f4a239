#pragma once

// Which architecture the code is being compiled for, for what not all of them have.

namespace ladder::cuda {

/// Its compute capability, major * 10 + minor; where the host's side of a unit is compiled, which
/// makes nothing of it, that of none. What asks for it is left out below what it needs by
/// `if constexpr`: such code is never run, since its entry's `Need` says so.
#if defined(__CUDA_ARCH__)
inline constexpr unsigned target = __CUDA_ARCH__ / 10;
#else
inline constexpr unsigned target = 0;
#endif

}  // namespace ladder::cuda
