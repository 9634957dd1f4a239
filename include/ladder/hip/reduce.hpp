#pragma once

// A reduction on a GPU under HIP: one launch on the caller's stream, no allocation, no
// synchronization. Requires only C++20 and HIP 5.2 or newer. Examples: docs/calling.md.
//
//   ladder::hip::Workspace workspace;                           // one per stream
//   hipMalloc(&memory, ladder::hip::workspace_bytes());
//   ladder::hip::make_workspace(&workspace, memory, ladder::hip::workspace_bytes(), stream);
//
//   ladder::hip::reduce(workspace, x, n, result, ladder::hip::Sum{}, 0.0f, stream);

#if __cplusplus < 202002L
#error "ladder/hip/reduce.hpp needs C++20: hipcc -std=c++20, or CMAKE_HIP_STANDARD 20"
#else
#include "ladder/gpu/reduce.hpp"
#endif
