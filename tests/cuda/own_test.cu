// Tests CUDA only: promises of single rungs, and kernels of libraries loaded at run time.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/cluster.hpp"
#include "tests/guarded_input.hpp"
#include "tests/model/kernels.hpp"
#include "tests/model/on_device.hpp"

namespace ladder::cuda {
namespace {

/// Fixture with a rung of the opened backend; skips if the GPU lacks what the rung requires.
template <int number>
class OnRung : public OnQueue {
 protected:
  void SetUp() override {
    OnQueue::SetUp();
    if (IsSkipped()) return;
    ASSERT_EQ(backend_->open(0), std::nullopt);
    const auto& need = backend_->rungs()[rung_].need;
    if (const auto lack = lacking(need, device->facts()); !lack.empty()) GTEST_SKIP() << lack;
  }

  std::unique_ptr<Backend> backend_ = make_backend({});
  std::size_t rung_ = tests::rung_of(*backend_, "r" + std::to_string(number));
};

// r23: the grid consists of whole clusters, by default at most as many as are resident.

static_assert(in_whole_clusters(1) == cluster);
static_assert(in_whole_clusters(cluster) == cluster);
static_assert(in_whole_clusters(cluster + 1) == 2 * cluster);

using Clusters = OnRung<23>;

TEST_F(Clusters, are_whole_whatever_grid_is_asked_for) {
  const std::vector<std::size_t> sizes{1, 2047, 2048, 100003};
  const auto [recipe, expected] = tests::exact_data(Type::f32, Operation::sum, sizes);
  tests::GuardedInput input(*backend_, Type::f32, recipe, sizes.back());
  for (const Reference& reference : expected) {
    for (const unsigned grid : {1U, 7U, 8U, 9U, 31U}) {
      const tests::Ran ran = input.run(rung_, reference.n, {.block = 32, .grid = grid});
      EXPECT_EQ(ran.tuning.grid % cluster, 0U);
      EXPECT_LT(ran.tuning.grid, grid + cluster);
      const Verdict verdict = check(ran.value, reference, false, 0);
      EXPECT_TRUE(verdict.ok) << "n " << reference.n << ", grid " << grid << ": "
                              << verdict.message;
    }
  }
}

TEST_F(Clusters, are_no_more_by_default_than_are_resident) {
  const Problem large{queue->result(), std::size_t{1} << 30, Type::f32, Operation::sum, nullptr};
  for (const unsigned block : {32U, 128U, 512U, 1024U}) {
    const auto job = backend_->prepare(rung_, large, {.block = block});  // reads no input
    const ladder::Launch& launch = *job->footprint().main();
    EXPECT_GT(launch.kernel.resident, 0U);
    EXPECT_EQ(launch.kernel.resident % cluster, 0U);
    EXPECT_LE(launch.grid, launch.kernel.resident);
  }
}

TEST_F(Clusters, are_refused_of_a_grid_that_is_not_whole_ones) {
  const auto launch = [&](std::size_t grid) {
    return queue->trace([&] {
      queue->launch_in_clusters(cluster, write_one, Shape{.grid = grid, .block = 32}, Pass{},
                                place);
    });
  };
  EXPECT_NO_THROW((void)launch(2 * cluster));
  EXPECT_THROW((void)launch(2 * cluster + 1), NotPossible);
}

using Ring = OnRung<24>;

// The ring changes which loads are in flight, not the order of the additions.
TEST_F(Ring, gives_the_bits_of_r20) {
  constexpr std::size_t n = 1000003;
  tests::GuardedInput input(*backend_, Type::f32, {Data::normal, Operation::sum, 5}, n);
  for (const unsigned block : {64U, 512U}) {
    const auto result = [&](std::size_t rung) {
      return input.run(rung, n, {.block = block, .grid = 7}).value.bits;
    };
    EXPECT_EQ(result(rung_), result(tests::rung_of(*backend_, "r20"))) << "block " << block;
  }
}

/// r26: the number of roundings, which bounds its error.
using TensorCore = OnRung<26>;

TEST_F(TensorCore, rounds_more_often_than_its_lanes_have_elements) {
  // 4096 lanes with 256 elements and 8 tree levels; then 16 partials, one per thread, in 8.
  const std::size_t once = 256 + 8, behind = 1 + 8;
  for (const auto& [type, roundings] :
       {std::pair{Type::f16, 5U}, std::pair{Type::bf16, 5U}, std::pair{Type::f64, 4U}}) {
    if (!backend_->carries(rung_, type, Operation::sum)) continue;
    const Problem problem{queue->result(), std::size_t{1} << 20, type, Operation::sum, nullptr};
    const auto job = backend_->prepare(rung_, problem, {.block = 256, .grid = 16});
    EXPECT_EQ(job->footprint().depth(), roundings * once + behind);  // no input was read
  }
}

using CudaCaptureTest = OnQueue;

/// Kernel of a library loaded at run time: it has no function address in this program.
TEST_F(CudaCaptureTest, counts_kernels_that_have_no_address_here) {
  constexpr const char* code =
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry idle() { ret; }\n";
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  Runtime::check(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  Runtime::check(cudaLibraryGetKernel(&kernel, library, "idle"));
  const auto launches = capture(queue->stream(), [&] {
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
