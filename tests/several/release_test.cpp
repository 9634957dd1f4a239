// Tests several fake devices, each with a clock, that are blocked and released together; the
// release spread in the records of a study; and which rung m04 resolves to.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "bench/application.hpp"
#include "several/local/devices.hpp"
#include "several/local/several_choice.hpp"
#include "tests/bench/fake_backend.hpp"
#include "tests/folder.hpp"

namespace ladder::several {
namespace {

std::vector<std::unique_ptr<Backend>> apart() {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(fake::make_apart());
  return one;
}

/// Replaces a rung whose launches return before they are done: sums of i32.
class Adds final : public Job {
 public:
  Adds(std::span<const Side> sides, const Problem& problem) : sides_(sides.begin(), sides.end()) {
    footprint_.launches.push_back({{4 * problem.n, 8, problem.n}, 1, 1, {}});
  }
  void run() override {
    sum_ = 0;
    for (const Side& side : sides_) {
      const auto* const x = static_cast<const std::int32_t*>(side.input);
      sum_ = std::accumulate(x, x + side.n, sum_);
    }
  }
  Value result() const override { return Value::of(Type::i32, static_cast<std::int32_t>(sum_)); }
  void spoil() override { sum_ = ~0U; }
  const Footprint& footprint() const override { return footprint_; }
  Tuning tuning() const override { return {.shares = static_cast<unsigned>(sides_.size())}; }

 private:
  std::vector<Side> sides_;
  Footprint footprint_;
  std::uint32_t sum_ = 0;
};

std::unique_ptr<Job> adds(std::span<const Side> sides, const Problem& problem, Result /*where*/) {
  return std::make_unique<Adds>(sides, problem);
}

std::unique_ptr<Backend> two_fakes() {
  constexpr auto sums_of_i32 = [](Type type, Operation operation) {
    return type == Type::i32 && operation == Operation::sum;
  };
  return in_one_process(apart, {{"m02", sums_of_i32, adds}});
}

/// Returns the rung that m04 uses for `n` elements in `shares` shares: "m00" or "m02".
std::string chosen(Backend& backend, Type type, std::size_t n, unsigned shares) {
  const auto buffer = backend.device().allocate(std::max<std::size_t>(n, 1) * 8);
  const auto job =
      backend.prepare(4, {buffer->data(), n, type, Operation::sum, nullptr}, {.shares = shares});
  EXPECT_EQ(job->tuning().shares, shares);
  return dynamic_cast<const Adds*>(job.get()) != nullptr ? "m02" : "m00";
}

TEST(Choice, IsByTheSizeOfAShareAndTheirNumber) {
  constexpr std::size_t limit = too_large_for_peer_writes;
  static_assert(by_peer_writes(0, 4, 2) && by_peer_writes(1000, 4, 2));
  static_assert(by_peer_writes(limit / 2 - 128, 4, 2) && !by_peer_writes(limit / 2, 4, 2));
  static_assert(by_peer_writes(limit / 2, 4, 4) && !by_peer_writes(limit / 2, 8, 4));
  static_assert(by_peer_writes(limit / 4 - 1, 4, 1) && !by_peer_writes(limit / 4, 4, 1));
  const auto backend = two_fakes();
  constexpr std::array devices{0, 1};
  ASSERT_EQ(backend->open_on(devices), std::nullopt);
  ASSERT_TRUE(backend->rungs()[4].why_absent.empty() && backend->rungs()[4].blocks);
  EXPECT_EQ(chosen(*backend, Type::i32, 1000, 2), "m02");
  EXPECT_EQ(chosen(*backend, Type::i32, 1000, 1), "m02");
  EXPECT_EQ(chosen(*backend, Type::f32, 1000, 2), "m00") << "m02 does not carry it";
}

TEST(Choice, IsM00WhereDevicesDoNotReachEachOther) {
  constexpr auto cannot = [](std::span<const Side>, const Problem&,
                             Result) -> std::unique_ptr<Job> {
    throw NotPossible("GPU 1 does not reach the memory of GPU 0");
  };
  const auto backend =
      in_one_process(apart, {{"m02", [](Type, Operation) { return true; }, cannot}});
  constexpr std::array devices{0, 1};
  ASSERT_EQ(backend->open_on(devices), std::nullopt);
  EXPECT_EQ(chosen(*backend, Type::i32, 1000, 2), "m00");
}

class Release : public testing::Test {
 protected:
  void TearDown() override { unsetenv("FAKE_LET_GO"); }
};

TEST_F(Release, TellsHowFarApartItsDevicesWereLetGo) {
  setenv("FAKE_LET_GO", "20", 1);
  for (const unsigned count : {2U, 3U}) {
    const auto backend = two_fakes();
    const std::vector<int> devices{0, 1, 2};
    ASSERT_EQ(backend->open_on(std::span(devices).first(count)), std::nullopt);
    Device& device = backend->device();
    device.hold();
    EXPECT_TRUE(device.release());
    ASSERT_TRUE(device.release_skew().has_value());
    EXPECT_GE(*device.release_skew(), 20e-3 * count);
    EXPECT_LT(*device.release_skew(), 10);
  }
}

TEST_F(Release, ComesOnceNobodyHasAnythingLeftToDo) {
  const auto backend = two_fakes();
  constexpr std::array devices{0, 1};
  ASSERT_EQ(backend->open_on(devices), std::nullopt);
  fake::log().clear();
  backend->device().hold();
  const std::vector<std::string> expected{"synchronize", "synchronize", "hold", "hold"};
  EXPECT_EQ(fake::log(), expected) << "else each starts when its own caches are evicted";
}

TEST_F(Release, IsInTheRecordsOfWhatWasHeld) {
  setenv("FAKE_LET_GO", "2", 1);
  const tests::Folder folder;
  const auto file = folder.path / "records.jsonl";
  std::vector<std::string> words{"ladder",
                                 "--devices=0,1",
                                 "--backends=several/apart",
                                 "--rungs=m00,m02,m04",
                                 "--types=i32",
                                 "--sizes=1000",
                                 "--scope=both",
                                 "--samples=3",
                                 "--no-ceilings",
                                 "--records=" + file.string()};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  std::vector<std::unique_ptr<Backend>> backends;
  backends.push_back(two_fakes());
  EXPECT_EQ(bench::application(static_cast<int>(arguments.size()), arguments.data(), backends), 0);
  std::ifstream lines(file);
  unsigned held = 0, not_held = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto record = nlohmann::json::parse(line);
    if (record["kind"] != "summary") continue;
    if (record["name"].get<std::string>().ends_with("/kernel")) {
      ++held;
      EXPECT_GE(record["release_skew"].get<double>(), 4e-3) << line;
      EXPECT_GE(record["release_skew_largest"].get<double>(), record["release_skew"].get<double>());
    } else {
      ++not_held;
      EXPECT_FALSE(record.contains("release_skew")) << line;
    }
  }
  EXPECT_EQ(held, 1U);
  EXPECT_EQ(not_held, 3U);
}

}  // namespace
}  // namespace ladder::several
