#pragma once

// Stands in for HIP's header where the rungs are compiled for the CPU (waves_test.cpp): a block's
// threads are fibers that take turns, and wait for each other where the kernel says so. It has what
// the rungs use, and no more.

#include <cstddef>
#include <functional>

#define __global__
#define __device__
#define __host__
// One block runs at a time, and all of its fibers in one thread.
#define __shared__ thread_local
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __noinline__

struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};
struct ulonglong2 {
  unsigned long long x, y;
};

struct Dimension {
  unsigned x;
};
inline Dimension gridDim, blockDim, blockIdx, threadIdx;

// The runtime library's names that stand in headers and are never called here.
using hipError_t = int;
using hipStream_t = void*;
using dim3 = unsigned;
inline constexpr hipError_t hipSuccess = 0, hipErrorInvalidValue = 1;
inline constexpr int hipDeviceAttributeMultiprocessorCount = 0, hipDeviceAttributeL2CacheSize = 1,
                     hipDeviceAttributeMemoryClockRate = 2, hipDeviceAttributeMemoryBusWidth = 3;
hipError_t hipGetDevice(int*);
hipError_t hipDeviceGetAttribute(int*, int, int);
hipError_t hipMemsetAsync(void*, int, std::size_t, hipStream_t);
hipError_t hipLaunchKernel(const void*, dim3, dim3, void**, std::size_t, hipStream_t);

namespace ladder::hip::fibers {

/// Calls `thread()` once for each thread of each block, `threadIdx` and the rest being set, blocks
/// one after another; where they are `together`, up to the next barrier of the grid. Throws
/// std::logic_error where threads wait for each other that never meet.
void run(unsigned grid, unsigned block, std::size_t shared_bytes,
         const std::function<void()>& thread, bool together = false);

/// Waits for the block's threads, or for those of the wavefront, that have not ended.
void meet_block();
void meet_wave();
/// Waits for all threads of all blocks. The shared memory of a block does not outlast it here.
void meet_grid();
/// What the lane of that number wrote to `*slot` before it came here; null where the wavefront has
/// no such lane. `slot` stays valid until the wavefront has met again.
const void* slot_of(const void* slot, unsigned lane);

/// How often the running thread has met the others of its block, and since then those of its
/// wavefront.
struct Meetings {
  unsigned block, wave;
};
Meetings meetings();
/// Whether that is a variable of a thread, past or present.
bool on_stack(const void* address);

}  // namespace ladder::hip::fibers

inline void __syncthreads() { ladder::hip::fibers::meet_block(); }

// Nothing happens between two fibers unless one of them waits.
template <class T>
T atomicAdd(T* address, T value) {
  const T old = *address;
  *address = old + value;
  return old;
}
template <class T>
T unsafeAtomicAdd(T* address, T value) {
  return atomicAdd(address, value);
}
template <class T>
T atomicOr(T* address, T bits) {
  const T old = *address;
  *address = old | bits;
  return old;
}
template <class T>
T atomicCAS(T* address, T expected, T wanted) {
  const T old = *address;
  if (old == expected) *address = wanted;
  return old;
}
