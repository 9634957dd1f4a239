#include "hip/timing.hpp"

#include <chrono>
#include <thread>

#include "common/hip_runtime/clock.hpp"
#include "hip/queue.hpp"
#include "tests/hip/on_device.hpp"

namespace ladder::hip {
namespace {

using namespace std::chrono_literals;

class ClockTest : public OnDevice {};

TEST_F(ClockTest, a_held_stream_does_nothing_until_it_is_let_go) {
  Queue queue(0);
  hip_runtime::Clock clock(queue.stream());
  enqueue_empty(queue);  // loaded before the stream is held
  queue.synchronize();
  clock.hold();
  clock.mark_start();
  enqueue_empty(queue);
  clock.mark_stop();
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(hipStreamQuery(queue.stream()), hipErrorNotReady);
  EXPECT_TRUE(clock.release());
  EXPECT_EQ(hipStreamQuery(queue.stream()), hipSuccess);
  EXPECT_LT(clock.elapsed(), 5e-3) << "the time held is no part of the time measured";
}

TEST_F(ClockTest, a_hold_gives_up_after_its_limit_and_says_so) {
  Queue queue(0);
  hip_runtime::Clock clock(queue.stream());
  clock.hold(5ms);
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(hipStreamQuery(queue.stream()), hipSuccess);
  EXPECT_FALSE(clock.release());

  clock.hold();
  EXPECT_TRUE(clock.release()) << "the next hold is a new one";
}

TEST_F(ClockTest, letting_go_also_ends_holds_that_were_never_released) {
  Queue queue(0);
  hip_runtime::Clock clock(queue.stream());
  clock.hold();
  clock.hold();
  clock.let_go();
  const auto start = std::chrono::steady_clock::now();
  queue.synchronize();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1s);
}

class TimingTest : public OnDevice {};

TEST_F(TimingTest, the_eviction_buffer_is_four_times_the_cache) {
  Queue queue(0);
  Timing timing(queue, 5 << 20);
  EXPECT_GE(timing.eviction_bytes(), 20U << 20);
  EXPECT_NO_THROW(timing.evict());
  EXPECT_NO_THROW(queue.synchronize());
}

TEST_F(TimingTest, lets_the_stream_go_before_it_ends) {
  Queue queue(0);
  const auto start = [&] {
    Timing timing(queue, 5 << 20);
    timing.clock().hold();
    timing.evict();
    return std::chrono::steady_clock::now();
  }();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 1s);
  EXPECT_EQ(hipStreamQuery(queue.stream()), hipSuccess);
}

}  // namespace
}  // namespace ladder::hip
