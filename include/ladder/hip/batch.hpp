#pragma once

// Batched reductions on a GPU under HIP: rows, columns or segments in one launch on the caller's
// stream. No allocation, no synchronization. Examples: docs/batch.md.
//
//   ladder::hip::BatchWorkspace workspace;  // one per stream
//   hipMalloc(&memory, ladder::hip::batch_workspace_bytes());
//   ladder::hip::make_batch_workspace(&workspace, memory, ladder::hip::batch_workspace_bytes(),
//                                     stream);
//
//   ladder::hip::reduce_rows(workspace, x, rows, columns, pitch, result, ladder::hip::Sum{}, 0.0f,
//                            stream);

#if __cplusplus < 202002L
#error "ladder/hip/batch.hpp needs C++20"
#else
#include "ladder/gpu/batch.hpp"
#endif
