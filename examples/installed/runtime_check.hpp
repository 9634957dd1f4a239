#pragma once

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

/// Ends the program with the runtime's words where something went wrong.
inline void check(cudaError_t code) {
  if (code == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(code));
  std::exit(1);
}

/// `n` elements in device memory, which the program keeps to its end.
template <class T>
T* allocate(std::size_t n) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, n * sizeof(T)));
  return static_cast<T*>(memory);
}
