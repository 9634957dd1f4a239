// Tests which launch configuration c13 chooses for a size, and its result in each of them.

#include <chrono>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "common/device/host/host_device.hpp"
#include "common/device/host/vectors.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/cpu_choice.hpp"
#include "tests/contract.hpp"

namespace ladder::cpu {
namespace {

using tests::Subject;

constexpr std::size_t KiB = 1024;

HostChoice of_floats(const Tuned& tuned, std::size_t bytes, unsigned most) {
  return choice(tuned, Type::f32, Operation::sum, bytes, most);
}

TEST(Choice, of_few_bytes_is_one_thread_and_one_piece) {
  for (const std::size_t bytes : {std::size_t{1}, 4 * KiB, 32 * KiB}) {
    EXPECT_EQ(of_floats({}, bytes, 16).workers, 1U) << bytes;
    EXPECT_EQ(of_floats({}, bytes, 16).pieces, 1U) << bytes;
  }
}

TEST(Choice, of_more_bytes_is_as_many_threads_as_have_a_share_worth_it) {
  EXPECT_EQ(of_floats({}, 255 * KiB, 16).workers, 1U);
  EXPECT_EQ(of_floats({}, 256 * KiB, 16).workers, 2U);
  EXPECT_EQ(of_floats({}, 256 * KiB, 16).pieces, 4U);
  EXPECT_EQ(of_floats({}, 256 * KiB, 1).workers, 1U);
  EXPECT_EQ(of_floats({}, 1024 * KiB * KiB, 16).workers, 16U);
  EXPECT_EQ(of_floats({}, 1024 * KiB * KiB, 16).pieces, 2U);
  EXPECT_GT(of_floats({}, 1024 * KiB * KiB, 16).prefetch, 0U);
}

TEST(Choice, of_a_file_comes_first_and_takes_no_more_threads_than_were_asked_for) {
  Tuned tuned;
  tuned.add(Type::f32, Operation::sum, {64 * KiB, 8, 2, 512});
  EXPECT_EQ(of_floats(tuned, 64 * KiB - 1, 16).pieces, 4U) << "before its first line";
  const HostChoice told = of_floats(tuned, 64 * KiB, 16);
  EXPECT_EQ(told.workers, 8U);
  EXPECT_EQ(told.pieces, 2U);
  EXPECT_EQ(told.prefetch, 512U);
  EXPECT_EQ(of_floats(tuned, 64 * KiB, 2).workers, 2U);
  EXPECT_EQ(choice(tuned, Type::f32, Operation::max, 64 * KiB, 16).pieces, 4U);
}

class Ways : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(backend->open(0), std::nullopt); }
  void TearDown() override {
    backend->device().use({});
    host::limit_vector_targets("");
  }
  /// Checks all sums and minima at sizes near the ends of pieces.
  void hold() {
    const Subject subject{*backend, tests::rung_of(*backend, "c13")};
    tests::for_each_carried(subject, [&](Type type, Operation operation) {
      if (operation != Operation::sum && operation != Operation::min) return;
      tests::expect_right(subject, type, operation, {1, 63, 257, 4097, 20011}, facts(type).bytes);
    });
  }
  std::unique_ptr<Backend> backend = make_backend({});
};

TEST_F(Ways, are_all_right_by_one_thread_and_by_all_on_every_target) {
  const unsigned most = backend->device().facts().max_workers;
  for (const std::string& target : host::vector_targets()) {
    host::limit_vector_targets(target);
    for (const unsigned workers : {1U, most}) {
      for (const Tuned::HostLine& way : {Tuned::HostLine{0, workers, 1, 0},
                                         {0, workers, 2, 0},
                                         {0, workers, 2, 4096},
                                         {0, workers, 4, 0}}) {
        SCOPED_TRACE(target + ", " + std::to_string(workers) + " workers, " +
                     std::to_string(way.pieces) + " pieces, prefetch " +
                     std::to_string(way.prefetch));
        Tuned tuned;
        for (const auto& type : types) {
          for (const auto& operation : operations) tuned.add(type.type, operation.operation, way);
        }
        backend->device().use(tuned);
        hold();
      }
    }
  }
}

/// Sums a mebibyte in which every addition rounds: by sleeping threads, by the same threads 20 ms
/// later, and by armed threads.
TEST(Sleepers, change_no_bit_of_a_sum) {
  const auto backend = make_backend({});
  ASSERT_EQ(backend->open(0), std::nullopt);
  std::vector<float> x((std::size_t{1} << 18) - 77);
  const Recipe recipe{Data::uniform, Operation::sum, 1};
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = element<float>(recipe, i);
  const unsigned most = backend->device().facts().max_workers;
  const Problem problem{x.data(), x.size(), Type::f32, Operation::sum, nullptr};
  const auto job = backend->prepare(tests::rung_of(*backend, "c13"), problem, {.workers = most});
  std::vector<std::string> results;
  const auto take = [&] {
    job->run();
    results.push_back(job->result().text());
  };
  take();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  take();
  job->arm();
  for (int i = 0; i < 3; ++i) take();
  job->disarm();
  EXPECT_EQ(std::set<std::string>(results.begin(), results.end()).size(), 1U);
}

}  // namespace
}  // namespace ladder::cpu
