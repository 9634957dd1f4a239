// The order of a sample's device calls, and the content of its input before, during and after it.

#include "bench/results/sampler.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "bench/run/study.hpp"
#include "fake_backend.hpp"
#include "fake_device.hpp"
#include "one_rung.hpp"

namespace ladder::bench {
namespace {

using Calls = std::vector<std::string>;

class Sampler : public testing::Test {
 protected:
  void SetUp() override {
    buffer_ = device_.allocate(4096);
    device_.fill(buffer_->data(), Type::f32, {}, 0, 1000);
  }
  std::unique_ptr<Job> job(std::string_view rung) {
    for (std::size_t i = 0; i < backend_->rungs().size(); ++i) {
      if (backend_->rungs()[i].rung.id == rung) {
        return backend_->prepare(i, {buffer_->data(), 1000, Type::f32, Operation::sum, nullptr},
                                 {});
      }
    }
    return nullptr;
  }
  Calls calls_of(Cache cache, Scope scope, bool profiled = false) {
    const auto one = job("r02");
    fake::log().clear();
    time_run(device_, *one, cache, scope, 1, profiled);
    return fake::log();
  }

  std::unique_ptr<Backend> backend_ = fake::make_backend();
  Device& device_ = backend_->device();
  std::unique_ptr<Buffer> buffer_;
};

TEST_F(Sampler, HasNothingButTheRungBetweenTheMarks) {
  EXPECT_EQ(calls_of(Cache::cold, Scope::kernel),
            (Calls{"spoil", "evict", "arm", "hold", "start", "run", "stop", "release", "fetch",
                   "disarm"}));
}

TEST_F(Sampler, RunsThreeTimesUncountedWhereTheCacheIsHot) {
  EXPECT_EQ(calls_of(Cache::hot, Scope::kernel),
            (Calls{"arm", "run", "run", "run", "spoil", "hold", "start", "run", "stop", "release",
                   "fetch", "disarm"}));
}

TEST_F(Sampler, HasTheCallsOfAChainBackToBackBetweenTheMarks) {
  const auto one = job("r02");
  const auto each = time_run(device_, *one, Cache::hot, Scope::kernel);
  fake::log().clear();
  EXPECT_DOUBLE_EQ(time_run(device_, *one, Cache::hot, Scope::chain, 4).value(), each.value());
  EXPECT_EQ(fake::log(), (Calls{"arm", "run", "run", "run", "spoil", "hold", "start", "run", "run",
                                "run", "run", "stop", "release", "fetch", "disarm"}));
  EXPECT_EQ(calls_of_a_sample(device_, *one, Cache::hot, Scope::chain), 100U) << "of microseconds";
  setenv("LADDER_PROCESS", "1", 1);
  setenv("FAKE_SLOWNESS", "5", 1);
  EXPECT_EQ(calls_of_a_sample(device_, *one, Cache::hot, Scope::chain), 28U) << "of 7";
  setenv("FAKE_SLOWNESS", "50", 1);
  EXPECT_EQ(calls_of_a_sample(device_, *one, Cache::hot, Scope::chain), 20U);
  unsetenv("FAKE_SLOWNESS");
  unsetenv("LADDER_PROCESS");
}

TEST_F(Sampler, WaitsForTheDeviceBeforeTheHostClockStarts) {
  EXPECT_EQ(calls_of(Cache::cold, Scope::host),
            (Calls{"spoil", "evict", "arm", "synchronize", "run", "fetch", "disarm"}));
}

/// A job of several processes in which each call takes `call` seconds.
class Joint final : public Job {
 public:
  explicit Joint(double call) : call_(call) {}
  void line_up(unsigned runs) override {
    runs_ = runs;
    log.push_back("line up " + std::to_string(runs));
  }
  void run() override { log.emplace_back("run"); }
  double longest(double own) override {
    EXPECT_GE(own, 0);
    return runs_ * call_;
  }
  Value result() const override { return {}; }
  void spoil() override { log.emplace_back("spoil"); }
  const Footprint& footprint() const override { return footprint_; }

  Calls log;

 private:
  double call_;
  unsigned runs_ = 0;
  Footprint footprint_;
};

TEST_F(Sampler, BringsAllToTheStartOfTheRunsAndTakesTheLongestTime) {
  Joint joint(42);
  EXPECT_EQ(time_run(device_, joint, Cache::hot, Scope::host, 2), 42);
  EXPECT_EQ(joint.log,
            (Calls{"line up 3", "run", "run", "run", "spoil", "line up 2", "run", "run"}));
}

TEST_F(Sampler, RunsAndFetchesAsOftenAsItIsTold) {
  const auto one = job("r02");
  fake::log().clear();
  time_run(device_, *one, Cache::hot, Scope::host, 3);
  EXPECT_EQ(fake::log(), (Calls{"arm", "run", "run", "run", "spoil", "synchronize", "run", "fetch",
                                "run", "fetch", "run", "fetch", "disarm"}));
}

TEST_F(Sampler, TakesOneCallWhereTheDeviceIsAGpu) {
  const auto one = job("r02");
  EXPECT_EQ(calls_of_a_sample(device_, *one, Cache::hot, Scope::host), 1U);
}

TEST(SamplerOfACpu, TakesAsManyCallsAsLastTwentyMicrosecondsUpToALimit) {
  setenv("FAKE_KIND", "cpu", 1);
  fake::FakeDevice device("fake", false);
  unsetenv("FAKE_KIND");
  const auto calls = [&](double seconds) {
    Joint timed(seconds);
    return calls_of_a_sample(device, timed, Cache::hot, Scope::host);
  };
  EXPECT_EQ(calls(21e-6), 1U);
  EXPECT_EQ(calls(3e-6), 8U) << "a tenth more than it seems to take";
  EXPECT_EQ(calls(1e-12), 1U << 14);
}

TEST_F(Sampler, HoldsNothingForAProfilerAndEvictsWhereItIsAskedTo) {
  EXPECT_EQ(calls_of(Cache::hot, Scope::kernel, true),
            (Calls{"arm", "spoil", "start", "run", "stop", "release", "fetch", "disarm"}));
  EXPECT_EQ(calls_of(Cache::cold, Scope::kernel, true),
            (Calls{"spoil", "evict", "arm", "start", "run", "stop", "release", "fetch", "disarm"}));
}

TEST_F(Sampler, LetsTheStreamGoWhenALaunchFails) {
  const auto failing = job("throws");
  fake::log().clear();
  EXPECT_THROW(time_run(device_, *failing, Cache::cold, Scope::kernel), std::runtime_error);
  EXPECT_EQ(fake::log(),
            (Calls{"spoil", "evict", "arm", "hold", "start", "run", "release", "disarm"}));
}

constexpr std::size_t whole = 1000;
constexpr Recipe recipe{Data::exact, Operation::min, 1};

class Resident : public testing::Test {
 protected:
  /// Returns the elements and the guards after the last one.
  std::vector<float> seen() const {
    std::vector<float> values(whole + guard_elements);
    device_.download(values.data(), input_.data(), values.size() * sizeof(float));
    return values;
  }
  static float at(std::size_t i) { return element<float>(recipe, i); }

  std::unique_ptr<Backend> backend_ = fake::make_backend();
  Device& device_ = backend_->device();
  ResidentInput input_{device_, Type::f32, recipe, whole, 256, nullptr, true};
};

TEST_F(Resident, HasTheDecidingElementAndTheGuardsForOneSample) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{700}, whole}) {
    const std::size_t planted = n / 2;
    input_.guard_and_plant(n, Operation::min, {&planted, 1});
    const auto values = seen();
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(values[i],
                i == planted ? planted_element<float>(Operation::min, recipe, i) : at(i));
    for (std::size_t i = n; i < n + guard_elements; ++i)
      ASSERT_EQ(values[i], guard_element<float>(Operation::min)) << i << " behind " << n;
    input_.restore(n, {&planted, 1});
    const auto after = seen();
    for (std::size_t i = 0; i < whole; ++i) ASSERT_EQ(after[i], at(i)) << "of the first " << n;
  }
}

TEST_F(Resident, HasNoDecidingElementWhereNoneIsPlanted) {
  input_.guard_and_plant(whole, Operation::sum, {});
  const auto values = seen();
  for (std::size_t i = 0; i < whole; ++i) ASSERT_EQ(values[i], at(i));
  EXPECT_EQ(values[whole], guard_element<float>(Operation::sum));
}

using Inputs = OneRung;

/// A single process has each input at the start of its buffer, one of several at an offset with the
/// same alignment.
TEST_F(Inputs, KeepTheAlignmentOfTheirBuffer) {
  const Plan planned = plan();
  Progress progress({});
  for (const std::uint64_t places : {0U, 1U, 2U, 3U}) {
    Results results(planned);
    make_rows(selection_, places, progress, results);
    ASSERT_EQ(results.inputs.size(), 1U);
    EXPECT_EQ(
        reinterpret_cast<std::uintptr_t>(results.inputs[0]->data()) % alignof(std::max_align_t), 0U)
        << places;
  }
}

}  // namespace
}  // namespace ladder::bench
