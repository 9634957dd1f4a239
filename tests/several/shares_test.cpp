// Tests the partition of elements, and the rungs within one process, on shares of the CPU as
// devices.

#include "several/shares.hpp"

#include <array>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cpu/cpu_backend.hpp"
#include "several/local/devices.hpp"
#include "tests/bench/fake_backend.hpp"
#include "tests/guarded_input.hpp"

namespace ladder::several {
namespace {

std::vector<const Backend*> opened;

TEST(Shares, CoverAllElementsOnceInOrder) {
  for (const std::size_t n : {0UL, 1UL, 63UL, 64UL, 65UL, 1000UL, 4096UL, 1000003UL}) {
    for (const unsigned of : {1U, 2U, 3U, 7U, 16U}) {
      std::size_t next = 0;
      for (unsigned i = 0; i < of; ++i) {
        const Share share = share_of(n, i, of);
        EXPECT_EQ(share.first, next) << n << " in " << of;
        next += share.count;
      }
      EXPECT_EQ(next, n) << of;
    }
  }
}

TEST(Shares, AreEvenButForOneCutAndBeginAligned) {
  for (const std::size_t n : {4096UL, 1000003UL, std::size_t{1} << 33}) {
    for (const unsigned of : {2U, 3U, 7U, 16U}) {
      for (unsigned i = 0; i < of; ++i) {
        const Share share = share_of(n, i, of);
        EXPECT_EQ(share.first % cut, 0U);
        EXPECT_LE(share.count, n / of + 2 * cut);
        EXPECT_GE(share.count + 2 * cut, n / of);
      }
    }
  }
}

TEST(OneProcess, GivesItsChoicesToAllItsDevices) {
  std::vector<std::unique_ptr<Backend>> (*const make)() = [] {
    std::vector<std::unique_ptr<Backend>> one;
    one.push_back(fake::make_apart());
    opened.push_back(one.front().get());
    return one;
  };
  const auto backend = in_one_process(make);
  constexpr std::array devices{0, 1};
  opened.clear();
  ASSERT_EQ(backend->open_on(devices), std::nullopt);
  Tuned tuned;
  tuned.source = "a file";
  backend->device().use(tuned);
  EXPECT_EQ(backend->device().tuned().source, "a file");
  ASSERT_EQ(opened.size(), 2U);
  for (const Backend* const one : opened) EXPECT_EQ(one->device().tuned().source, "a file");
}

TEST(OneProcess, NeedsDevicesByNameAndSaysWhereAllAreOne) {
  const auto backend = in_one_process(cpu::backends);
  EXPECT_EQ(backend->name(), "several/cpu");
  const std::string none = backend->open(0).value_or("");
  EXPECT_NE(none.find("--devices=0,1"), std::string::npos) << none;
  constexpr std::array all{every_device};
  const std::string one = backend->open_on(all).value_or("");
  EXPECT_NE(one.find("one alone is seen"), std::string::npos) << one;
}

TEST(OneProcess, HasOneEntryForEachRungOfTheLadder) {
  const auto backend = in_one_process(cpu::backends);
  ASSERT_EQ(backend->rungs().size(), several_ladder.size());
  for (std::size_t i = 0; i < several_ladder.size(); ++i) {
    EXPECT_EQ(backend->rungs()[i].rung.id, several_ladder[i].id);
    EXPECT_EQ(backend->rungs()[i].why_absent.empty(), several_ladder[i].id == "m00");
  }
}

class OnThree : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(backend->open_on(devices), std::nullopt); }
  static constexpr std::array devices{0, 0, 0};
  std::unique_ptr<Backend> backend = in_one_process(cpu::backends);
};

TEST_F(OnThree, AddsTheSharesOfAllItsDevices) {
  EXPECT_EQ(backend->open_on(devices), std::nullopt) << "opening again is free";
  Device& device = backend->device();
  for (const std::size_t n : {0UL, 1UL, 2UL, 130UL, 1000UL, 100003UL}) {
    std::vector<std::int32_t> values(n);
    std::iota(values.begin(), values.end(), 1);
    const auto buffer = device.allocate(n * sizeof(std::int32_t) + 4);
    device.upload(buffer->data() + 4, values.data(), n * sizeof(std::int32_t));
    for (const unsigned shares : {1U, 2U, 3U}) {
      const Problem problem{buffer->data() + 4, n, Type::i32, Operation::sum, nullptr};
      const auto job = backend->prepare(0, problem, {.shares = shares});
      const auto sum = static_cast<std::int32_t>(n * (n + 1) / 2);  // which may wrap
      EXPECT_EQ(tests::result_of(*backend, *job).as<std::int32_t>(), sum)
          << n << " elements in " << shares << " shares";
      EXPECT_EQ(job->tuning().shares, shares);
    }
  }
}

TEST_F(OnThree, RefusesMoreSharesThanDevices) {
  EXPECT_THROW((void)backend->resolve(0, {}, {.shares = 4}), NotPossible);
  EXPECT_EQ(backend->resolve(0, {}, {}).shares, 3U);
}

TEST_F(OnThree, NamesEachDeviceAmongItsFacts) {
  std::set<std::string> names;
  for (const Fact& fact : backend->device().facts().more) names.insert(fact.name);
  EXPECT_TRUE(names.contains("device 0") && names.contains("device 2"));
  EXPECT_TRUE(backend->device().facts().name.starts_with("3 x "));
}

}  // namespace
}  // namespace ladder::several
