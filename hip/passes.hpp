#pragma once

// How a rung covers n values by blocks, and how the blocks' results become one.

// First: clang knows no kernel without it.
#include <hip/hip_runtime.h>

#include "common/model/gpu/passes.hpp"
#include "hip/atomics.hpp"
#include "hip/index.hpp"
#include "hip/queue.hpp"
