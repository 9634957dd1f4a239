// Three CUDA driver functions that Kokkos calls. An executable linked to the driver's library does
// not start on a machine without it. These forward to the library at the first call; by then the
// CUDA run-time library has loaded it.
#include <cuda.h>
#include <dlfcn.h>

namespace {

template <typename Function>
Function* find(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  return library == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

// cuda.h defines some of these as macros; the names here are the exported ones.
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
