#pragma once

// Many reductions at once on an NVIDIA GPU, to be called: rows, columns or segments by one launch
// on the caller's stream, no allocation, no synchronization. docs/batch.md has examples.
//
//   ladder::cuda::BatchWorkspace workspace;  // once per stream
//   cudaMalloc(&memory, ladder::cuda::batch_workspace_bytes());
//   ladder::cuda::make_batch_workspace(&workspace, memory, ladder::cuda::batch_workspace_bytes(),
//                                     stream);
//
//   ladder::cuda::reduce_rows(workspace, x, rows, columns, pitch, result, ladder::cuda::Sum{},
//   0.0f,
//                            stream);

#if __cplusplus < 202002L
#error "ladder/cuda/batch.hpp needs C++20"
#else
#include "ladder/gpu/batch.hpp"
#endif
