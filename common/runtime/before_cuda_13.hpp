#pragma once

// Declarations that CUDA 12 and 13 removed and HIP's headers for NVIDIA still use. Included before
// each HIP source that is compiled for NVIDIA, and nowhere else: CUDA's own sources see CUDA as it
// is. A function that this project never calls is only declared, so any call fails to link.

#include <cuda.h>
#include <cuda_runtime.h>

#if CUDART_VERSION >= 12000

// Texture references, removed in CUDA 12.0. Never called here.
template <class T, int dimensions, cudaTextureReadMode mode>
struct texture;
cudaError_t cudaBindTexture(...);
cudaError_t cudaBindTexture2D(...);
cudaError_t cudaBindTextureToArray(...);
cudaError_t cudaUnbindTexture(...);
cudaError_t cudaGetTextureAlignmentOffset(...);

#endif

#if CUDART_VERSION >= 13000

// Members of the device's properties, removed in CUDA 13.0; attributes still provide them.
struct DeviceProperties : cudaDeviceProp {
  int clockRate = 0, memoryClockRate = 0, computeMode = 0, kernelExecTimeoutEnabled = 0;
  int cooperativeMultiDeviceLaunch = 0;
};
inline cudaError_t cudaGetDeviceProperties(DeviceProperties* properties, int device) {
  const cudaError_t code =
      cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(properties), device);
  if (code != cudaSuccess) return code;
  cudaDeviceGetAttribute(&properties->clockRate, cudaDevAttrClockRate, device);
  cudaDeviceGetAttribute(&properties->memoryClockRate, cudaDevAttrMemoryClockRate, device);
  cudaDeviceGetAttribute(&properties->computeMode, cudaDevAttrComputeMode, device);
  return cudaDeviceGetAttribute(&properties->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout,
                                device);
}
inline cudaError_t cudaChooseDevice(int* device, const DeviceProperties* properties) {
  return cudaChooseDevice(device, static_cast<const cudaDeviceProp*>(properties));
}
#define cudaDeviceProp DeviceProperties

// A launch on several devices at once, removed in CUDA 13.0. Its attribute keeps its number; no
// device supports it.
inline constexpr auto cudaDevAttrCooperativeMultiDeviceLaunch = static_cast<cudaDeviceAttr>(96);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(...);

// Functions with other parameters since CUDA 13.0: a location instead of a device number, data for
// each edge of a graph, parameters for a context. Those of graphs and contexts are never called
// here.
inline cudaError_t cudaMemAdvise(const void* memory, size_t bytes, cudaMemoryAdvise advice,
                                 int device) {
  return cudaMemAdvise(memory, bytes, advice, cudaMemLocation{cudaMemLocationTypeDevice, device});
}
inline cudaError_t cudaMemPrefetchAsync(const void* memory, size_t bytes, int device,
                                        cudaStream_t stream) {
  return cudaMemPrefetchAsync(memory, bytes, cudaMemLocation{cudaMemLocationTypeDevice, device}, 0,
                              stream);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*,
                                     size_t);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t, const cudaGraphNode_t*, const cudaGraphNode_t*,
                                        size_t);
cudaError_t cudaGraphGetEdges(cudaGraph_t, cudaGraphNode_t*, cudaGraphNode_t*, size_t*);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t, cudaGraphNode_t*, size_t*);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t, cudaGraphNode_t*, size_t*);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t, cudaStreamCaptureStatus*, unsigned long long*,
                                        cudaGraph_t*, const cudaGraphNode_t**, size_t*);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t*, size_t,
                                                unsigned int);
CUresult cuCtxCreate(CUcontext*, unsigned int, CUdevice);

#endif
