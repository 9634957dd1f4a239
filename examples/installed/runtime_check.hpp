#pragma once

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

/// Prints the run-time library's error and exits.
inline void check(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(code));
  std::exit(1);
}

/// Allocates `n` elements of device memory, freed when the process exits.
template <class T>
T* allocate(std::size_t n) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, n * sizeof(T)));
  return static_cast<T*>(memory);
}
