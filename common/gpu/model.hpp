#pragma once

// The model on GPUs that a unit is compiled for, and what its rungs put their work on. Both models'
// code is in one program, each in its own namespace.

#include "common/model/gpu/gpu_queue.hpp"
#include "common/runtime/gpu_runtime.hpp"
#include "ladder/gpu/detail/gpu_model.hpp"  // LADDER_MODEL: cuda or hip, its folder and its namespace

namespace ladder::LADDER_MODEL {

class Owner;  // of this model's instances of what is written over the words of its runtime
using Runtime = runtime::Gpu<Owner>;
using Queue = gpu::Queue<Runtime>;

}  // namespace ladder::LADDER_MODEL
