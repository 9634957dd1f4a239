// What is learnt of kernels that others launch.

#include <stdexcept>

#include "common/nvidia/capture.hpp"
#include "common/nvidia/check.hpp"
#include "cuda/queue.hpp"
#include "tests/cuda/on_device.hpp"

namespace ladder::cuda {
namespace {

__global__ void add(int* place, int value) { *place += value; }

class CaptureTest : public OnDevice {};

TEST_F(CaptureTest, tells_the_launches_in_their_order_and_runs_none) {
  Queue queue(0);
  auto* const place = reinterpret_cast<int*>(queue.result());
  check(cudaMemsetAsync(place, 0, sizeof *place, queue.stream()));
  const auto kernels = nvidia::capture(queue.stream(), queue.device(), [&] {
    add<<<dim3(7), dim3(32, 4, 2), 1024, queue.stream()>>>(place, 1);
    check(cudaMemsetAsync(place + 1, 0, sizeof *place, queue.stream()));
    add<<<dim3(3), dim3(1, 64), 0, queue.stream()>>>(place, 1);
  });
  int value = -1;
  check(cudaMemcpyAsync(&value, place, sizeof value, cudaMemcpyDeviceToHost, queue.stream()));
  queue.synchronize();
  EXPECT_EQ(value, 0);

  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[0].grid, 7U);
  EXPECT_EQ(kernels[0].block, 256U);
  EXPECT_EQ(kernels[0].dynamic_shared, 1024U);
  EXPECT_GT(kernels[0].kernel.registers, 0);
  EXPECT_GE(kernels[0].kernel.shared_bytes, 1024U);
  EXPECT_GT(kernels[0].kernel.blocks_per_unit, 0);
  EXPECT_EQ(kernels[1].grid, 3U);
  EXPECT_EQ(kernels[1].block, 64U);
  EXPECT_EQ(kernels[1].dynamic_shared, 0U);
}

TEST_F(CaptureTest, ends_with_what_was_thrown_in_it) {
  Queue queue(0);
  auto* const place = reinterpret_cast<int*>(queue.result());
  const auto broken = [&] {
    return nvidia::capture(queue.stream(), queue.device(), [&] {
      add<<<1, 1, 0, queue.stream()>>>(place, 1);
      throw std::logic_error("no further");
    });
  };
  EXPECT_THROW((void)broken(), std::logic_error);
  cudaStreamCaptureStatus status{};
  check(cudaStreamIsCapturing(queue.stream(), &status));
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  EXPECT_NO_THROW(queue.synchronize());
}

/// The kernel of a library that was loaded at run time: no function of this program stands for it.
TEST_F(CaptureTest, counts_kernels_that_have_no_address_here) {
  constexpr const char* code =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry idle() { ret; }\n";
  Queue queue(0);
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  check(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  check(cudaLibraryGetKernel(&kernel, library, "idle"));
  const auto kernels = nvidia::capture(queue.stream(), queue.device(), [&] {
    void* parameters[] = {nullptr};
    check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(5), dim3(8, 8), parameters,
                           0, queue.stream()));
  });
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].kernel.limiter, "not told by the library");
  check(cudaLibraryUnload(library));
}

}  // namespace
}  // namespace ladder::cuda
