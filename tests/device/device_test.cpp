// The contract of every device of this build, tested through their common interface.

#include "common/device/device.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "common/data.hpp"
#include "common/value.hpp"
#include "tests/refusal.hpp"
#if LADDER_HOST
#include "common/device/host/host_device.hpp"
#endif
#if LADDER_NVIDIA
#include "common/device/nvidia/nvidia_device.hpp"
#endif
#if LADDER_AMD
#include "common/device/amd/amd_device.hpp"
#endif

namespace ladder {
namespace {

using namespace std::chrono_literals;
using tests::refusal_of;
using Time = std::chrono::steady_clock;

/// A kind of device that this build has.
struct Kind {
  std::string_view name;
  std::shared_ptr<Device> (*open)(int number);
  std::optional<std::string> (*why_unusable)(int number);
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

const std::vector<Kind> all_kinds {
#if LADDER_HOST
  {"host", [](int) -> std::shared_ptr<Device> { return host::open(); },
   [](int) -> std::optional<std::string> { return std::nullopt; }},
#endif
#if LADDER_NVIDIA
      {"nvidia", nvidia::open, nvidia::why_unusable},
#endif
#if LADDER_AMD
      {"amd", amd::open, amd::why_unusable},
#endif
};

constexpr auto by_name = [](const auto& which) { return std::string(which.param.name); };

std::vector<Kind> gpus() {
  std::vector<Kind> some = all_kinds;
  std::erase_if(some, [](const Kind& kind) { return kind.name == "host"; });
  return some;
}

/// Fixture that skips, with the device's reason, if the device cannot be used here.
class EveryDevice : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (const auto why = GetParam().why_unusable(0)) GTEST_SKIP() << *why;
    device = GetParam().open(0);
  }
  /// Runs a job as the harness does.
  void run(Job& job) const {
    job.spoil();
    job.arm();
    job.run();
    job.fetch();
    job.disarm();
    device->synchronize();
    (void)job.result();
  }

  std::shared_ptr<Device> device;
};

TEST_P(EveryDevice, is_one_object_for_all_who_open_it) {
  EXPECT_EQ(GetParam().open(0), device);
  EXPECT_FALSE(device->name().empty());
}

TEST_P(EveryDevice, tells_its_facts_each_with_a_source) {
  const DeviceFacts& facts = device->facts();
  EXPECT_FALSE(facts.name.empty());
  EXPECT_EQ(facts.kind, GetParam().name == "host" ? "cpu" : "gpu");
  EXPECT_EQ(device->has_timer(), facts.kind == "gpu");
  EXPECT_FALSE(facts.peak_source.empty()) << "a peak, or its absence, has a reason";
  EXPECT_GT(facts.memory_bytes, 0U);
  EXPECT_GT(facts.units, 0U);
  EXPECT_GT(device->free_bytes(), 0U);
  EXPECT_LE(device->free_bytes(), facts.memory_bytes);
  for (const Fact& fact : facts.more) {
    EXPECT_FALSE(fact.value.empty()) << fact.name;
    EXPECT_FALSE(fact.source.empty()) << fact.name;
  }
}

TEST_P(EveryDevice, refuses_more_memory_than_there_is) {
  const std::string told = refusal_of([&] { (void)device->allocate(std::size_t{1} << 50); });
  EXPECT_NE(told.find("needs"), std::string::npos) << told;
  EXPECT_NE(told.find("free"), std::string::npos) << told;
  EXPECT_NO_THROW((void)device->allocate(1));
}

TEST_P(EveryDevice, makes_the_bits_of_every_element_as_defined) {
  constexpr std::size_t most = 200003;
  constexpr std::uint64_t first = (std::uint64_t{1} << 31) - 5000;
  const auto buffer = device->allocate((most + 1) * sizeof(double));
  for (const auto& type : types) {
    for (const auto& operation : operations) {
      if (operation.integers_only && !type.integer) continue;
      for (const Data data : {Data::exact, Data::uniform, Data::normal}) {
        for (const std::size_t count : {std::size_t{1}, std::size_t{10007}, most}) {
          if (count == most && operation.operation != Operation::sum) continue;
          const Recipe recipe{data, operation.operation, 42};
          with_type(type.type, [&]<Type t>() {
            using T = native<t>;
            device->enqueue_set(buffer->data(), 0x77, (count + 1) * sizeof(T));
            device->fill(buffer->data(), t, recipe, first, count);
            std::vector<T> got(count + 1);
            device->download(got.data(), buffer->data(), got.size() * sizeof(T));
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < count; ++i) {
              wrong +=
                  Value::of(t, got[i]) == Value::of(t, element<T>(recipe, first + i)) ? 0U : 1U;
            }
            EXPECT_EQ(wrong, 0U) << type.name << " " << operation.name << " " << name(data) << " "
                                 << count;
            T untouched;
            std::memset(&untouched, 0x77, sizeof untouched);
            EXPECT_EQ(Value::of(t, got[count]), Value::of(t, untouched)) << "past the end";
          });
        }
      }
    }
  }
  EXPECT_THROW(device->fill(buffer->data(), Type::f32, {Data::file, Operation::sum, 1}, 0, 1),
               NotPossible);
}

TEST_P(EveryDevice, copies_short_and_long_arrays) {
  for (const std::size_t bytes : {0U, 1U, 7U, 65535U, 65536U, 1000003U}) {
    const auto source = device->allocate_pinned(bytes + 1);
    for (std::size_t i = 0; i < bytes; ++i) {
      source->data()[i] = static_cast<std::byte>(i * 31 + 7);
    }
    const auto buffer = device->allocate(bytes + 1);
    for (const bool waits : {true, false}) {
      device->enqueue_set(buffer->data(), 0x5C, bytes + 1);
      if (waits) {
        device->upload(buffer->data(), source->data(), bytes);
      } else {
        device->enqueue_upload(buffer->data(), source->data(), bytes);
      }
      std::vector<std::byte> got(bytes + 1);
      device->download(got.data(), buffer->data(), bytes + 1);
      EXPECT_TRUE(std::equal(got.begin(), got.end() - 1, source->data())) << bytes;
      EXPECT_EQ(got.back(), std::byte{0x5C}) << "past the end of " << bytes;
    }
  }
}

TEST_P(EveryDevice, runs_every_sweep_and_floor) {
  constexpr std::size_t bytes = 100000 * sizeof(std::int64_t);
  const auto input = device->allocate(bytes);
  device->fill(input->data(), Type::i64, {Data::exact, Operation::bit_xor, 1}, 0,
               bytes / sizeof(std::int64_t));
  const auto configurations = device->ceiling_configurations();
  ASSERT_FALSE(configurations.empty());
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    SCOPED_TRACE(configurations[i]);
    EXPECT_NO_THROW(run(*device->ceiling(i, input->data(), bytes)));
  }
  for (const Floor floor : {Floor::clock, Floor::launch}) {
    SCOPED_TRACE(name(floor));
    EXPECT_NO_THROW(run(*device->floor(floor)));
  }
}

TEST_P(EveryDevice, evicts_by_reads_of_four_times_its_cache) {
  const Eviction eviction = device->eviction();
  const std::size_t wanted = 4 * device->facts().last_level_cache;
  EXPECT_GT(eviction.bytes, 0U);
  EXPECT_EQ(eviction.capped, eviction.bytes < wanted);
  EXPECT_EQ(eviction.workers != 0, device->facts().kind == "cpu");
  EXPECT_NO_THROW(device->evict());
  EXPECT_NO_THROW(device->synchronize());
  EXPECT_EQ(device->recover(), std::nullopt) << "nothing was wrong";
}

INSTANTIATE_TEST_SUITE_P(Device, EveryDevice, testing::ValuesIn(all_kinds), by_name);

class EveryGpu : public EveryDevice {
 protected:
  void SetUp() override {
    EveryDevice::SetUp();
    if (IsSkipped()) return;
    flag_ = device->allocate_pinned(1);
    flag_->data()[0] = std::byte{0};
  }
  /// `flagged` is true once the stream has executed `enqueue_flag`; it reads host memory alone.
  void enqueue_flag() { device->enqueue_set(flag_->data(), 1, 1); }
  bool flagged() const {
    return *static_cast<const volatile unsigned char*>(static_cast<void*>(flag_->data())) == 1;
  }

 private:
  std::unique_ptr<Buffer> flag_;
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryGpu);

TEST_P(EveryGpu, does_nothing_while_it_is_held) {
  const auto launch = device->floor(Floor::launch);  // freed only once nothing is held
  device->hold();
  device->mark_start();
  launch->run();
  enqueue_flag();
  device->mark_stop();
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(flagged());
  EXPECT_TRUE(device->release());
  EXPECT_TRUE(flagged());
  EXPECT_LT(device->elapsed(), 5e-3) << "the time held is no part of the time measured";
}

TEST_P(EveryGpu, goes_on_by_itself_after_two_seconds_and_says_so) {
  const auto start = Time::now();
  device->hold();
  enqueue_flag();
  while (!flagged() && Time::now() - start < 10s) std::this_thread::sleep_for(10ms);
  EXPECT_TRUE(flagged());
  EXPECT_GT(Time::now() - start, 1s);
  EXPECT_FALSE(device->release());

  device->hold();
  EXPECT_TRUE(device->release()) << "the next hold is a new one";
}

TEST_P(EveryGpu, ends_holds_that_were_never_released_with_the_next_one) {
  device->hold();
  device->hold();
  const auto start = Time::now();
  EXPECT_TRUE(device->release());
  EXPECT_LT(Time::now() - start, 1s);
}

TEST_P(EveryGpu, recovers_while_it_is_held) {
  device->hold();
  enqueue_flag();
  const auto start = Time::now();
  EXPECT_EQ(device->recover(), std::nullopt);
  EXPECT_NO_THROW(device->synchronize());
  EXPECT_LT(Time::now() - start, 1s);
  EXPECT_TRUE(flagged());
}

TEST_P(EveryGpu, goes_on_before_it_ends) {
  device->hold();
  device->evict();
  enqueue_flag();
  const auto start = Time::now();
  const std::weak_ptr<Device> last = std::exchange(device, nullptr);
  ASSERT_TRUE(last.expired()) << "somebody else has it open";
  EXPECT_LT(Time::now() - start, 1s);
  EXPECT_TRUE(flagged());
  EXPECT_NO_THROW(GetParam().open(0)->synchronize()) << "it can be opened again";
}

INSTANTIATE_TEST_SUITE_P(Device, EveryGpu, testing::ValuesIn(gpus()), by_name);

/// A GPU that cannot be used here: device 0, or, if that can, a number that no machine has.
class UnusableGpu : public testing::TestWithParam<Kind> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(UnusableGpu);

TEST_P(UnusableGpu, says_why_in_one_sentence) {
  const int number = GetParam().why_unusable(0) ? 0 : 1000;
  const auto why = GetParam().why_unusable(number);
  ASSERT_TRUE(why);
  EXPECT_TRUE(number == 0 || why->find("1000") != std::string::npos) << *why;
  EXPECT_EQ(why->find('\n'), std::string::npos);
  EXPECT_GT(why->size(), 20U);
  EXPECT_EQ(refusal_of([=] { (void)GetParam().open(number); }), *why);
  EXPECT_EQ(GetParam().why_unusable(number), why) << "asking again gives the same answer";
}

INSTANTIATE_TEST_SUITE_P(Device, UnusableGpu, testing::ValuesIn(gpus()), by_name);

}  // namespace
}  // namespace ladder
