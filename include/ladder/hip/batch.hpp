#pragma once

// Many reductions at once on a GPU, from HIP, to be called: rows, columns or segments by one launch
// on the caller's stream, no allocation, no synchronization. docs/batch.md has examples.
//
//   ladder::hip::BatchWorkspace workspace;  // once per stream
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
