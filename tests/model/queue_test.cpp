#include <stdexcept>

#include "tests/model/kernels.hpp"
#include "tests/model/on_device.hpp"

namespace ladder::LADDER_MODEL {
namespace {

using QueueTest = OnQueue;

TEST_F(QueueTest, replays_a_launch_and_makes_another_for_other_arguments) {
  int* const other = place + 1;
  for (int again = 0; again < 3; ++again) {
    device->enqueue_set(place, 0, 2 * sizeof *place);
    queue->replay(write_one, Shape{}, Pass{}, place);
    EXPECT_EQ(read(place), 1) << again;
    EXPECT_EQ(read(other), 0) << again;
    queue->replay(write_one, Shape{}, Pass{}, other);
    EXPECT_EQ(read(other), 1) << again;
  }
  device->enqueue_set(place, 0, sizeof *place);
  const Footprint footprint =
      queue->trace([&] { queue->replay(write_one, Shape{.grid = 7}, Pass{}, place); });
  EXPECT_EQ(read(place), 0);
  ASSERT_EQ(footprint.launches.size(), 1U);
  EXPECT_EQ(footprint.launches.front().grid, 7U);
}

TEST_F(QueueTest, waits_for_what_the_host_can_see_but_not_for_ever) {
  auto* const seen = static_cast<volatile int*>(queue->host_result<int>());
  *seen = 0;
  queue->launch(write_one, Shape{}, Pass{}, queue->host_result<int>());
  queue->wait_until([&] { return *seen == 1; });
  EXPECT_THROW(queue->wait_until([&] { return *seen == 2; }), std::logic_error);
}

TEST_F(QueueTest, launches_nothing_while_it_traces) {
  const Footprint footprint = queue->trace([&] {
    queue->scratch<double>(1000);
    queue->scratch<char>(1);
    queue->launch(write_one, Shape{.grid = 7, .block = 64}, Pass{1, 2, 3}, place);
  });
  EXPECT_EQ(read(place), 0);
  EXPECT_FALSE(queue->tracing());

  EXPECT_EQ(footprint.scratch_bytes, 8192U + 256U);
  ASSERT_EQ(footprint.launches.size(), 1U);
  const ladder::Launch& launch = footprint.launches.front();
  EXPECT_EQ(launch.grid, 7U);
  EXPECT_EQ(launch.block, 64U);
  EXPECT_EQ(launch.pass.read_bytes, 1U);
  EXPECT_EQ(launch.pass.written_bytes, 2U);
  EXPECT_EQ(launch.pass.depth, 3U);
  EXPECT_GT(launch.kernel.registers, 0);
  EXPECT_GT(launch.kernel.blocks_per_unit, 0);
  EXPECT_FALSE(launch.kernel.limiter.empty());
}

TEST_F(QueueTest, hands_out_scratch_anew_in_each_run_and_no_more_than_was_traced) {
  queue->reserve(4096);  // as for another rung
  queue->begin(1024);
  auto* const first = queue->scratch<char>(1);
  auto* const second = queue->scratch<char>(768);
  EXPECT_EQ(second - first, 256);
  EXPECT_THROW(queue->scratch<char>(1), std::logic_error);
  queue->begin(1024);
  EXPECT_EQ(queue->scratch<char>(1), first);
}

TEST_F(QueueTest, shares_its_memory_with_the_other_queues_of_its_device) {
  Queue other(device);
  EXPECT_EQ(other.result(), queue->result());
  EXPECT_EQ(other.ticket(), queue->ticket());
  EXPECT_EQ(other.words<float>(1).at, queue->words<float>(1).at);
  other.reserve(1 << 20);
  queue->begin(1 << 20);
  EXPECT_NO_THROW(queue->scratch<char>(1 << 20));
}

TEST_F(QueueTest, refuses_what_can_never_be_launched) {
  const auto launch = [&](const Shape& shape) {
    return [&, shape] { queue->launch(write_one, shape, Pass{}, place); };
  };
  // NVIDIA counts blocks with 31 bits, AMD counts threads with 32.
  const bool on_nvidia = device->name().starts_with("cuda");
  const std::size_t most = on_nvidia ? (std::size_t{1} << 31) - 1 : (1U << 27) - 1;
  EXPECT_THROW(queue->trace(launch({.grid = most + 1, .block = 32})), NotPossible);
  EXPECT_NO_THROW(queue->trace(launch({.grid = most, .block = 32})));
  EXPECT_FALSE(queue->tracing());
}

TEST_F(QueueTest, lets_a_kernel_have_more_shared_memory_than_any_may) {
  constexpr std::size_t enough = 60 << 10, too_much = 1 << 30;
  static_assert(enough > shared_without_asking);
  const auto launch = [&](std::size_t shared) {
    queue->launch(write_one, Shape{1, 32, shared}, Pass{}, place);
  };
  const Footprint footprint = queue->trace([&] { launch(enough); });
  EXPECT_EQ(footprint.launches.front().kernel.shared_bytes, enough);
  launch(enough);
  queue->fetch(sizeof *place);
  EXPECT_EQ(*queue->host_result<int>(), 1);
  EXPECT_THROW(queue->trace([&] { launch(too_much); }), NotPossible);
}

TEST_F(QueueTest, counts_a_block_that_does_not_fill_a_wavefront) {
  const unsigned wave = device->facts().lanes;
  EXPECT_EQ(queue->waves(1), 1U);
  EXPECT_EQ(queue->waves(wave), 1U);
  EXPECT_EQ(queue->waves(wave + 1), 2U);
}

TEST_F(QueueTest, sees_the_kernels_of_a_library) {
  if (library().empty()) GTEST_SKIP() << "no library was found when this was built";
  const Problem problem{queue->result(), std::size_t{1} << 24, Type::f32, Operation::sum,
                        queue->result()};
  for (const Extra& extra : library()) {
    if (!extra.library || !extra.entry.present) continue;
    if (!extra.rung.takes(Grouping::whole)) continue;         // one launch for all results
    if ((extra.rung.traits & atomic_updates) != 0) continue;  // no second pass
    const Footprint footprint =
        queue->trace([&] { extra.entry.find(Type::f32, Operation::sum)(*queue, problem, {}); });
    ASSERT_GE(footprint.launches.size(), 2U);
    EXPECT_TRUE(footprint.launches.size() == 2 || model_name != "cuda");
    EXPECT_GT(footprint.launches.front().kernel.registers, 0);
    EXPECT_GT(footprint.launches.front().grid, 1U);
    EXPECT_EQ(footprint.launches.back().grid, 1U);
    EXPECT_GE(footprint.moved_bytes(), problem.n * sizeof(float));
    EXPECT_GT(footprint.scratch_bytes, 0U);
  }
}

/// Tests the records of kernels that others launch.
using CaptureTest = OnQueue;

TEST_F(CaptureTest, tells_the_launches_in_their_order_and_runs_none) {
  const auto launches = capture(queue->stream(), [&] {
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
    return capture(queue->stream(), [&] {
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
