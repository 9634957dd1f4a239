#pragma once

// A loop that a GPU's compiler is to unroll, where a host's is to do as it finds best. Taken back
// at the end of ladder/kokkos/reduce.hpp.

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define LADDER_REDUCE_UNROLLED _Pragma("unroll")
#else
#define LADDER_REDUCE_UNROLLED
#endif
