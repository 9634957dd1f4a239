// Kokkos on CUDA calls three functions of the driver itself, and an executable that links the
// driver's library does not start on a machine without one. Here are the three, each of which looks
// for the library when it is called: by then the CUDA run-time library, which does the same, has
// found it, or Kokkos would not have got so far.
#include <cuda.h>
#include <dlfcn.h>

namespace {

template <typename Function>
Function* find(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

// cuda.h names some of these by macros, so that the names here are those that the library exports.
#define LADDER_STRING(name) #name
#define LADDER_EXPORTED(name) LADDER_STRING(name)

extern "C" {

CUresult CUDAAPI cuCtxGetDevice(CUdevice* device) {
  static auto* const function = find<CUresult(CUdevice*)>(LADDER_EXPORTED(cuCtxGetDevice));
  return function == nullptr ? CUDA_ERROR_NOT_INITIALIZED : function(device);
}

CUresult CUDAAPI cuCtxPushCurrent(CUcontext context) {
  static auto* const function = find<CUresult(CUcontext)>(LADDER_EXPORTED(cuCtxPushCurrent));
  return function == nullptr ? CUDA_ERROR_NOT_INITIALIZED : function(context);
}

CUresult CUDAAPI cuStreamGetCtx(CUstream stream, CUcontext* context) {
  static auto* const function =
      find<CUresult(CUstream, CUcontext*)>(LADDER_EXPORTED(cuStreamGetCtx));
  return function == nullptr ? CUDA_ERROR_NOT_INITIALIZED : function(stream, context);
}

}  // extern "C"
