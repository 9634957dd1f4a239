// Tests the partition of elements, and the rungs within one process, on shares of the CPU as
// devices.

#include "several/shares.hpp"

#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cpu/cpu_backend.hpp"
#include "several/local/devices.hpp"
#include "tests/bench/fake_backend.hpp"
#include "tests/guarded_input.hpp"

namespace ladder::several {
namespace {

std::vector<Backend*> opened;

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

/// A fake device; the first three have one id.
std::vector<std::unique_ptr<Backend>> make_fake() {
  setenv("FAKE_ID", opened.size() < 3 ? "first" : "second", 1);
  std::vector<std::unique_ptr<Backend>> one;
  one.push_back(fake::make_apart());
  opened.push_back(one.front().get());
  return one;
}

std::unique_ptr<Backend> opened_on_fakes(std::span<const int> devices) {
  auto backend = in_one_process(make_fake);
  opened.clear();
  EXPECT_EQ(backend->open_on(devices), std::nullopt);
  return backend;
}

TEST(OneProcess, SharesTheMemoryOfTheDeviceThatHasMostMembers) {
  const auto backend = opened_on_fakes(std::array{0, 0, 0, 1});
  const std::size_t free = opened.front()->device().free_bytes();
  EXPECT_EQ(backend->device().free_bytes(), free / 3);
}

TEST(OneProcess, GivesItsChoicesToAllItsDevices) {
  const auto backend = opened_on_fakes(std::array{0, 1});
  Tuned tuned;
  tuned.source = "a file";
  backend->device().use(tuned);
  EXPECT_EQ(backend->device().tuned().source, "a file");
  ASSERT_EQ(opened.size(), 2U);
  for (Backend* const one : opened) EXPECT_EQ(one->device().tuned().source, "a file");
}

TEST(OneProcess, IsDisturbedByAnyOfItsDevices) {
  const auto backend = opened_on_fakes(std::array{0, 1});
  setenv("FAKE_THROTTLED", "1 1", 1);
  (void)opened.back()->device().disturbance();  // the slowdown is seen at its second look
  EXPECT_EQ(backend->device().disturbance(), "apart:0 thermal slowdown, made up");
  unsetenv("FAKE_THROTTLED");
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

}  // namespace
}  // namespace ladder::several
