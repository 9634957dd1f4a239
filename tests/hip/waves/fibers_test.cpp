// Tests the emulation itself: threads, wavefronts and blocks that never meet, and lanes that are
// not there.

#include <stdexcept>

#include <gtest/gtest.h>

#include "common/gpu/platform.hpp"
#include "hip/hip_grid.hpp"

namespace ladder::hip {
namespace {

TEST(Fibers, tell_threads_that_never_meet) {
  Queue queue;
  EXPECT_THROW(queue.launch(
                   +[] {
                     if (threadIdx.x < 8) __syncthreads();
                     if (threadIdx.x >= 8) fibers::meet_wave();
                   },
                   Shape{.block = 32}, Pass{}),
               std::logic_error);
}

TEST(Fibers, tell_blocks_that_never_meet) {
  Queue queue;
  EXPECT_THROW(queue.launch(
                   +[] { sync_grid(); }, Shape{.grid = 3, .block = 96}, Pass{}),
               std::logic_error)
      << "blocks that are launched one by one";
  EXPECT_THROW(queue.launch_together(
                   +[] {
                     if (blockIdx.x != 1) sync_grid();
                   },
                   Shape{.grid = 3, .block = 32}, Pass{}),
               std::logic_error);
}

TEST(Fibers, a_lane_that_is_not_there_has_no_value) {
  Queue queue;
  queue.launch(
      +[] {
        const unsigned above = from_above(threadIdx.x, 1);
        const bool last = threadIdx.x + 1 == blockDim.x || (threadIdx.x + 1) % LADDER_WAVE == 0;
        EXPECT_EQ(above, last ? 0x5A5A5A5A : threadIdx.x + 1);
      },
      Shape{.block = 96}, Pass{});
}

}  // namespace
}  // namespace ladder::hip
