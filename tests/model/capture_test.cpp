// What is learnt of kernels that others launch.

#include <stdexcept>

#include "tests/model/kernels.hpp"
#include "tests/model/on_device.hpp"

namespace ladder::LADDER_MODEL {
namespace {

class CaptureTest : public OnQueue {};

TEST_F(CaptureTest, tells_the_launches_in_their_order_and_runs_none) {
  const auto launches = gpu::capture<Runtime>(queue->stream(), [&] {
    launch_add(*queue, place, dim3(7), dim3(32, 4, 2), 1024);
    device->enqueue_set(place + 1, 0, sizeof *place);
    launch_add(*queue, place, dim3(3), dim3(1, 64), 0);
  });
  EXPECT_EQ(read(place), 0);

  ASSERT_EQ(launches.size(), 2U);
  EXPECT_EQ(launches[0].grid, 7U);
  EXPECT_EQ(launches[0].block, 256U);
  EXPECT_GT(launches[0].kernel.registers, 0);
  EXPECT_EQ(launches[0].kernel.shared_bytes, launches[1].kernel.shared_bytes + 1024);
  EXPECT_GT(launches[0].kernel.blocks_per_unit, 0);
  EXPECT_EQ(launches[1].grid, 3U);
  EXPECT_EQ(launches[1].block, 64U);
}

TEST_F(CaptureTest, ends_with_what_was_thrown_in_it) {
  const auto broken = [&] {
    return gpu::capture<Runtime>(queue->stream(), [&] {
      launch_add(*queue, place, 1, 1, 0);
      throw std::logic_error("no further");
    });
  };
  EXPECT_THROW((void)broken(), std::logic_error);
  EXPECT_NO_THROW(queue->synchronize()) << "the stream is captured no longer";
  EXPECT_EQ(read(place), 0);
}

}  // namespace
}  // namespace ladder::LADDER_MODEL
