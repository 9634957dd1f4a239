// Loops that a GPU's compiler is to unroll whole, by four steps or not at all, where a host's is to
// do as it finds best. Without `#pragma once`: ladder/kokkos/reduce.hpp and ladder/kokkos/batch.hpp
// each take these back at their ends.

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define LADDER_REDUCE_UNROLLED _Pragma("unroll")
#define LADDER_REDUCE_BY_FOUR _Pragma("unroll 4")
#define LADDER_REDUCE_STEP_BY_STEP _Pragma("unroll 1")
#else
#define LADDER_REDUCE_UNROLLED
#define LADDER_REDUCE_BY_FOUR
#define LADDER_REDUCE_STEP_BY_STEP
#endif
