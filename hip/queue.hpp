#pragma once

// What HIP rungs put their work on: HIP's words, on the stream of the device.

#include "common/model/gpu/queue.hpp"
#include "common/runtime/hip.hpp"

namespace ladder::hip {

class Owner;  // of this model's instances of what is written over HIP's words
using Runtime = runtime::Hip<Owner>;
using Queue = gpu::Queue<Runtime>;

}  // namespace ladder::hip
