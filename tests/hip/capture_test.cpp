// What is learnt of kernels that others launch.

#include "common/hip_runtime/capture.hpp"

#include <stdexcept>

#include "common/hip_runtime/check.hpp"
#include "hip/queue.hpp"
#include "tests/hip/kernels.hpp"
#include "tests/hip/on_device.hpp"

namespace ladder::hip {
namespace {

/// Past the queue, as a library would.
void launch(Queue& queue, int* place, dim3 grid, dim3 block, std::size_t shared) {
  int value = 1;
  void* parameters[] = {&place, &value};
  check(hipLaunchKernel(reinterpret_cast<const void*>(add), grid, block, parameters, shared,
                        queue.stream()));
}

class CaptureTest : public OnDevice {};

TEST_F(CaptureTest, tells_the_launches_in_their_order_and_runs_none) {
  Queue queue(0);
  auto* const place = reinterpret_cast<int*>(queue.result());
  check(hipMemsetAsync(place, 0, sizeof *place, queue.stream()));
  const auto kernels = hip_runtime::capture(queue.stream(), queue.device(), [&] {
    launch(queue, place, dim3(7), dim3(32, 4, 2), 1024);
    check(hipMemsetAsync(place + 1, 0, sizeof *place, queue.stream()));
    launch(queue, place, dim3(3), dim3(1, 64), 0);
  });
  int value = -1;
  check(hipMemcpyAsync(&value, place, sizeof value, hipMemcpyDeviceToHost, queue.stream()));
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
    return hip_runtime::capture(queue.stream(), queue.device(), [&] {
      launch(queue, place, 1, 1, 0);
      throw std::logic_error("no further");
    });
  };
  EXPECT_THROW((void)broken(), std::logic_error);
  EXPECT_NO_THROW(queue.synchronize());
}

}  // namespace
}  // namespace ladder::hip
