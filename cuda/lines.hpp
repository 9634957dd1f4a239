#pragma once

namespace ladder::cuda {

/// The block's dynamic shared memory from the beginning of a line of 128 bytes, as memory has them:
/// a line that is copied there crosses into the SM as one request, not as one for each sector.
template <class T>
__device__ T* lines_of_shared_memory() {
  extern __shared__ __align__(128) unsigned char lines[];
  return reinterpret_cast<T*>(lines);
}

}  // namespace ladder::cuda
