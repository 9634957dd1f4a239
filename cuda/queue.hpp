#pragma once

// What CUDA rungs put their work on: CUDA's words, on the stream of the device.

#include "common/model/gpu/queue.hpp"
#include "common/runtime/cuda.hpp"

namespace ladder::cuda {

class Owner;  // of this model's instances of what is written over CUDA's words
using Runtime = runtime::Cuda<Owner>;
using Queue = gpu::Queue<Runtime>;

}  // namespace ladder::cuda
