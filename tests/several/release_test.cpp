// Several devices with clocks, which are held and let go together: fake ones, each of its own. That
// a study of them keeps in its records how far apart they were let go.

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "bench/application.hpp"
#include "several/local/devices.hpp"
#include "tests/bench/fake_backend.hpp"

namespace ladder::several {
namespace {

std::vector<std::unique_ptr<Backend>> apart() {
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(fake::make_apart());
  return one;
}

/// Stands in for a rung whose launches return before they are done: sums of i32.
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

std::unique_ptr<Backend> two_fakes() {
  return in_one_process(
      apart, {{"m02",
               [](Type type, Operation operation) {
                 return type == Type::i32 && operation == Operation::sum;
               },
               [](std::span<const Side> sides, const Problem& problem) -> std::unique_ptr<Job> {
                 return std::make_unique<Adds>(sides, problem);
               }}});
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

TEST_F(Release, OfOneDeviceHasNoSkew) {
  const auto alone = fake::make_apart();
  EXPECT_EQ(alone->device().release_skew(), std::nullopt);
}

TEST_F(Release, IsInTheRecordsOfWhatWasHeld) {
  setenv("FAKE_LET_GO", "2", 1);
  const auto file =
      std::filesystem::temp_directory_path() / ("release_" + std::to_string(getpid()) + ".jsonl");
  std::vector<std::string> words{"ladder",
                                 "--devices=0,1",
                                 "--backends=several/apart",
                                 "--rungs=m00,m02",
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
  EXPECT_EQ(not_held, 2U);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace ladder::several
