// r23 and its grid: whole clusters, of which no more are launched by default than the device holds.

#include "cuda/cluster.hpp"
#include "tests/cuda/on_rung.hpp"
#include "tests/model/kernels.hpp"

namespace ladder::cuda {
namespace {

static_assert(in_whole_clusters(1) == cluster);
static_assert(in_whole_clusters(cluster) == cluster);
static_assert(in_whole_clusters(cluster + 1) == 2 * cluster);

class Clusters : public OnRung {
 protected:
  Clusters() : OnRung("r23") {}
};

TEST_F(Clusters, are_whole_whatever_grid_is_asked_for) {
  const std::vector<std::size_t> sizes{1, 2047, 2048, 100003};
  const Recipe recipe = tests::exact_recipe(Type::f32, Operation::sum, sizes);
  const auto expected = references({Type::f32, recipe, nullptr}, Operation::sum, sizes, 1);
  tests::GuardedInput input(*backend_, Type::f32, recipe, sizes.back());
  for (const Reference& reference : expected) {
    for (const unsigned grid : {1U, 7U, 8U, 9U, 31U}) {
      input.guard_and_plant(reference.n, {});
      const auto job =
          backend_->prepare(rung_, input.problem(reference.n), {.block = 32, .grid = grid});
      EXPECT_EQ(job->tuning().grid % cluster, 0U);
      EXPECT_LT(job->tuning().grid, grid + cluster);
      const Verdict verdict = check(tests::result_of(*backend_, *job), reference, false, 0);
      EXPECT_TRUE(verdict.ok) << "n " << reference.n << ", grid " << grid << ": "
                              << verdict.message;
      input.restore(reference.n, {});
    }
  }
}

TEST_F(Clusters, are_no_more_by_default_than_are_resident) {
  const Problem large{queue->result(), std::size_t{1} << 30, Type::f32, Operation::sum, nullptr};
  for (const unsigned block : {32U, 128U, 512U, 1024U}) {
    const auto job = backend_->prepare(rung_, large, {.block = block});  // nothing is read
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

}  // namespace
}  // namespace ladder::cuda
