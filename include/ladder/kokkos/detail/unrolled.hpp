// Unroll pragmas for GPU compilers: fully, by four or never; host compilers decide themselves. No
// `#pragma once`: ladder/kokkos/reduce.hpp and ladder/kokkos/batch.hpp both undefine these at their
// end.

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define LADDER_REDUCE_UNROLLED _Pragma("unroll")
#define LADDER_REDUCE_BY_FOUR _Pragma("unroll 4")
#define LADDER_REDUCE_STEP_BY_STEP _Pragma("unroll 1")
#else
#define LADDER_REDUCE_UNROLLED
#define LADDER_REDUCE_BY_FOUR
#define LADDER_REDUCE_STEP_BY_STEP
#endif
