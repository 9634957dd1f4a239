#pragma once

// Batched reductions on an NVIDIA GPU: rows, columns or segments in one launch on the caller's
// stream. No allocation, no synchronization. Examples: docs/batch.md.
//
//   ladder::cuda::BatchWorkspace workspace;  // one per stream
//   cudaMalloc(&memory, ladder::cuda::batch_workspace_bytes());
//   ladder::cuda::make_batch_workspace(&workspace, memory, ladder::cuda::batch_workspace_bytes(),
//                                      stream);
//
//   ladder::cuda::reduce_rows(workspace, x, rows, columns, pitch, result, ladder::cuda::Sum{},
//                             0.0f, stream);

#if __cplusplus < 202002L
#error "ladder/cuda/batch.hpp needs C++20"
#elif !defined(__CUDACC__)
#error "ladder/cuda/batch.hpp has kernels: it needs a CUDA compiler, such as nvcc"
#else
#include "ladder/gpu/batch.hpp"
#endif
