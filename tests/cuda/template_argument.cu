// Last warp's tree as a template of the block size, called with and without that argument, which no
// parameter allows to deduce. Two tests (CMakeLists.txt) compile it; none runs it.

template <unsigned block>
__device__ void combine_last_warp(int* tile, unsigned tid) {
  for (unsigned s = block >= 64 ? 32 : block / 2; s > 0; s /= 2) {
    if (tid < s) tile[tid] = tile[tid] + tile[tid + s];
    __syncwarp();
  }
}

template <unsigned block>
__global__ void reduce(const int* x, int* partial) {
  __shared__ int tile[block];
  const unsigned tid = threadIdx.x;
  tile[tid] = x[blockIdx.x * block + tid];
  __syncthreads();
  if (tid < 32) {
#ifdef WITH_ARGUMENT
    combine_last_warp<block>(tile, tid);
#else
    combine_last_warp(tile, tid);
#endif
  }
  if (tid == 0) partial[blockIdx.x] = tile[0];
}

template __global__ void reduce<64>(const int* x, int* partial);
