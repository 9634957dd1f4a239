#pragma once

// A reduction on an NVIDIA GPU: one launch on the caller's stream, no allocation, no
// synchronization. Requires only C++20 and CUDA 13. Examples: docs/calling.md.
//
//   ladder::cuda::Workspace workspace;                            // one per stream
//   cudaMalloc(&memory, ladder::cuda::workspace_bytes());
//   ladder::cuda::make_workspace(&workspace, memory, ladder::cuda::workspace_bytes(), stream);
//
//   ladder::cuda::reduce(workspace, x, n, result, ladder::cuda::Sum{}, 0.0f, stream);

#if __cplusplus < 202002L
#error "ladder/cuda/reduce.hpp needs C++20: nvcc -std=c++20, or CMAKE_CUDA_STANDARD 20"
#elif !defined(__CUDACC__)
#error "ladder/cuda/reduce.hpp has kernels: it needs a CUDA compiler, such as nvcc"
#else
#include "ladder/gpu/reduce.hpp"
#endif
