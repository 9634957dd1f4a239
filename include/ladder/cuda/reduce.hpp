#pragma once

// A reduction on an NVIDIA GPU, to be called: one launch on the caller's stream, no allocation, no
// synchronization. C++20, CUDA 12 or newer, nothing else. docs/calling.md has examples.
//
//   ladder::cuda::Workspace workspace;                            // once per stream
//   cudaMalloc(&memory, ladder::cuda::workspace_bytes());
//   ladder::cuda::make_workspace(&workspace, memory, ladder::cuda::workspace_bytes(), stream);
//
//   ladder::cuda::reduce(workspace, x, n, result, ladder::cuda::Sum{}, 0.0f, stream);

#if __cplusplus < 202002L
#error "ladder/cuda/reduce.hpp needs C++20: nvcc -std=c++20, or CMAKE_CUDA_STANDARD 20"
#else
#include "ladder/gpu/reduce.hpp"
#endif
