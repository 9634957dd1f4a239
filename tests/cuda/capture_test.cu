// What is learnt of kernels that others launch, where CUDA alone has it.

#include <stdexcept>

#include "tests/model/on_device.hpp"

namespace ladder::cuda {
namespace {

__global__ void add(int* place, int value) { *place += value; }

class CudaCaptureTest : public OnQueue {};

TEST_F(CudaCaptureTest, leaves_the_stream_uncaptured_where_something_was_thrown) {
  const auto broken = [&] {
    return gpu::capture<Runtime>(queue->stream(), [&] {
      add<<<1, 1, 0, queue->stream()>>>(place, 1);
      throw std::logic_error("no further");
    });
  };
  EXPECT_THROW((void)broken(), std::logic_error);
  cudaStreamCaptureStatus status{};
  Runtime::check(cudaStreamIsCapturing(queue->stream(), &status));
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
}

/// The kernel of a library that was loaded at run time: no function of this program stands for it.
TEST_F(CudaCaptureTest, counts_kernels_that_have_no_address_here) {
  constexpr const char* code =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry idle() { ret; }\n";
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  Runtime::check(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  Runtime::check(cudaLibraryGetKernel(&kernel, library, "idle"));
  const auto launches = gpu::capture<Runtime>(queue->stream(), [&] {
    void* parameters[] = {nullptr};
    Runtime::check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(5), dim3(8, 8),
                                    parameters, 0, queue->stream()));
  });
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0].kernel.limiter, "not told by the library");
  Runtime::check(cudaLibraryUnload(library));
}

}  // namespace
}  // namespace ladder::cuda
