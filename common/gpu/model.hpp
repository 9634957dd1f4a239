#pragma once

// The model on GPUs that a unit is compiled for, and what its rungs put their work on. Both models'
// code is in one program, each in its own namespace.

#include "common/model/gpu/queue.hpp"
#include "ladder/gpu/detail/model.hpp"  // LADDER_MODEL: cuda or hip, its folder and its namespace
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__) || defined(__HIP__)
#include "common/runtime/hip.hpp"
#define LADDER_RUNTIME runtime::Hip
#else
#include "common/runtime/cuda.hpp"
#define LADDER_RUNTIME runtime::Cuda
#endif

namespace ladder::LADDER_MODEL {

class Owner;  // of this model's instances of what is written over the words of its runtime
using Runtime = LADDER_RUNTIME<Owner>;
using Queue = gpu::Queue<Runtime>;

}  // namespace ladder::LADDER_MODEL
