#include <stdexcept>

#include "common/backend.hpp"
#include "cuda/queue.hpp"
#include "cuda/table.hpp"
#include "tests/cuda/on_device.hpp"

namespace ladder::cuda {
namespace {

__global__ void write_one(int* place) { *place = 1; }

class QueueTest : public OnDevice {};

TEST_F(QueueTest, launches_and_waits) {
  Queue queue(0);
  auto* const place = reinterpret_cast<int*>(queue.result());
  check(cudaMemsetAsync(place, 0, sizeof *place, queue.stream()));
  queue.launch(write_one, Shape{}, Pass{}, place);
  int value = 0;
  check(cudaMemcpyAsync(&value, place, sizeof value, cudaMemcpyDeviceToHost, queue.stream()));
  queue.synchronize();
  EXPECT_EQ(value, 1);
}

TEST_F(QueueTest, launches_nothing_while_it_traces) {
  Queue queue(0);
  auto* const place = reinterpret_cast<int*>(queue.result());
  check(cudaMemsetAsync(place, 0, sizeof *place, queue.stream()));
  const Footprint footprint = queue.trace([&] {
    queue.scratch<double>(1000);
    queue.scratch<char>(1);
    queue.launch(write_one, Shape{.grid = 7, .block = 64}, Pass{1, 2, 3}, place);
  });
  int value = -1;
  check(cudaMemcpyAsync(&value, place, sizeof value, cudaMemcpyDeviceToHost, queue.stream()));
  queue.synchronize();
  EXPECT_EQ(value, 0);
  EXPECT_FALSE(queue.tracing());

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
  Queue queue(0);
  queue.reserve(4096);  // for another rung, say
  queue.begin(1024);
  auto* const first = queue.scratch<char>(1);
  auto* const second = queue.scratch<char>(768);
  EXPECT_EQ(second - first, 256);
  EXPECT_THROW(queue.scratch<char>(1), std::logic_error);
  queue.begin(1024);
  EXPECT_EQ(queue.scratch<char>(1), first);
}

TEST_F(QueueTest, refuses_what_can_never_be_launched) {
  Queue queue(0);
  int* const place = nullptr;
  const auto launch = [&](const Shape& shape) {
    return [&, shape] { queue.launch(write_one, shape, Pass{}, place); };
  };
  EXPECT_THROW(queue.trace(launch({.grid = std::size_t{1} << 31, .block = 32})), NotPossible);
  EXPECT_NO_THROW(queue.trace(launch({.grid = (std::size_t{1} << 31) - 1, .block = 32})));
  EXPECT_FALSE(queue.tracing());
}

TEST_F(QueueTest, sees_the_kernels_of_a_library) {
  Queue queue(0);
  const Problem problem{queue.result(), std::size_t{1} << 24, Type::f32, Operation::sum,
                        queue.result()};
  for (const auto find : {library_cub::find, library_thrust::find}) {
    const Footprint footprint =
        queue.trace([&] { find(Type::f32, Operation::sum)(queue, problem, {}); });
    ASSERT_EQ(footprint.launches.size(), 2U);
    EXPECT_GT(footprint.launches.front().kernel.registers, 0);
    EXPECT_GT(footprint.launches.front().grid, 1U);
    EXPECT_EQ(footprint.launches.back().grid, 1U);
    EXPECT_GE(footprint.moved_bytes(), problem.n * sizeof(float));
    EXPECT_GT(footprint.scratch_bytes, 0U);
  }
}

}  // namespace
}  // namespace ladder::cuda
