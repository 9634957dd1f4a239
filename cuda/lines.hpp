#pragma once

namespace ladder::cuda {

/// The block's dynamic shared memory, aligned to 128 bytes: a copy of an aligned line reaches the
/// SM as one request instead of one per sector.
template <class T>
__device__ T* lines_of_shared_memory() {
  extern __shared__ __align__(128) unsigned char lines[];
  return reinterpret_cast<T*>(lines);
}

}  // namespace ladder::cuda
