#pragma once

// The model on GPUs that a unit is compiled for, and what its rungs put their work on.

#include "common/model/gpu/queue.hpp"

/// cuda or hip: the name of its folder and of its namespace. Both models' code is in one program,
/// each in its own namespace.
#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__) || defined(__HIP__)
#include "common/runtime/hip.hpp"
#define LADDER_MODEL hip
#define LADDER_RUNTIME runtime::Hip
#else
#include "common/runtime/cuda.hpp"
#define LADDER_MODEL cuda
#define LADDER_RUNTIME runtime::Cuda
#endif

namespace ladder::LADDER_MODEL {

class Owner;  // of this model's instances of what is written over the words of its runtime
using Runtime = LADDER_RUNTIME<Owner>;
using Queue = gpu::Queue<Runtime>;

}  // namespace ladder::LADDER_MODEL
