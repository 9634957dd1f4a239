#pragma once

// The GPU model that a unit is compiled for, LADDER_MODEL (cuda or hip, its folder and its
// namespace), and the queue of its rungs. One program contains both models' code, each in its own
// namespace.

#include "common/model/gpu/gpu_queue.hpp"
#include "common/runtime/gpu_runtime.hpp"
