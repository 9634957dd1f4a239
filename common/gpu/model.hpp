#pragma once

// The model on GPUs that a unit is compiled for, LADDER_MODEL (cuda or hip, its folder and its
// namespace), and what its rungs put their work on. Both models' code is in one program, each in
// its own namespace.

#include "common/model/gpu/gpu_queue.hpp"
#include "common/runtime/gpu_runtime.hpp"
