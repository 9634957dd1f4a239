#pragma once

// Replaces HIP's header where rungs are compiled for the CPU (waves_test.cpp). A block's threads
// are fibers that run in turn and wait for each other only at the kernel's barriers. Declares only
// what the rungs use.

#include <cstddef>
#include <functional>

#define __global__
#define __device__
#define __host__
// One block runs at a time, with all its fibers in one thread.
#define __shared__ thread_local
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __noinline__

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

// Runtime library names that headers mention; never called here.
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

/// Calls `thread()` once per thread of each block, with `threadIdx`, `blockIdx` and the dimensions
/// set. Blocks run one after another; with `together`, each runs up to the next grid barrier in
/// turn. Throws std::logic_error on deadlock.
void run(unsigned grid, unsigned block, std::size_t shared_bytes,
         const std::function<void()>& thread, bool together = false);

/// Waits for the threads of the block or of the wavefront that have not ended.
void meet_block();
void meet_wave();
/// Waits for all threads of all blocks. A block's shared memory does not survive this call.
void meet_grid();
/// Returns the `slot` pointer that `lane` passed; null if the wavefront has no such lane. The
/// pointer stays valid until the wavefront meets again.
const void* slot_of(const void* slot, unsigned lane);

/// Number of block barriers of the running thread, and of wavefront barriers since the last.
struct Meetings {
  unsigned block, wave;
};
Meetings meetings();
/// Returns true if the address is on the stack of a thread, past or present.
bool on_stack(const void* address);

}  // namespace ladder::hip::fibers

inline void __syncthreads() { ladder::hip::fibers::meet_block(); }

// Fibers switch only when one waits, so plain loads and stores are atomic.
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
