#pragma once

// How a rung covers n values by blocks, and how the blocks' results become one.

#include "common/model/gpu/passes.hpp"
#include "cuda/atomics.hpp"
#include "cuda/index.hpp"
#include "cuda/queue.hpp"
