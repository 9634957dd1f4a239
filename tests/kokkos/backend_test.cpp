// Tests the backends of several spaces on one Kokkos per process.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "common/check.hpp"
#include "common/device/host/machine.hpp"
#include "common/reference.hpp"
#include "kokkos/kokkos_backend.hpp"
#include "tests/device/host/masks.hpp"
#include "tests/guarded_input.hpp"
#include "tests/kokkos/spaces.hpp"
#include "tests/refusal.hpp"

namespace ladder::kokkos {
namespace {

using tests::result_of;
using tests::rung_of;
using Backends = std::vector<std::unique_ptr<Backend>>;

TEST(KokkosBackends, are_one_for_each_space_of_the_build_gpus_first) {
  std::vector<std::string_view> expected;
  if (LADDER_KOKKOS_CUDA) expected.emplace_back("kokkos/cuda");
  if (LADDER_KOKKOS_HIP) expected.emplace_back("kokkos/hip");
  if (LADDER_KOKKOS_OPENMP) expected.emplace_back("kokkos/openmp");
  if (LADDER_KOKKOS_SERIAL) expected.emplace_back("kokkos/serial");
  std::vector<std::string_view> names;
  for (const auto& backend : backends()) names.push_back(backend->name());
  EXPECT_EQ(names, expected);
}

TEST(KokkosBackends, can_be_made_and_asked_without_Kokkos_being_started) {
  const bool before = Kokkos::is_initialized();
  for (const auto& backend : backends()) {
    EXPECT_EQ(backend->rungs().size(),
              device_ladder.size() + batch_table().size() + library().size());
    for (std::size_t rung = 0; rung < device_ladder.size(); ++rung) {
      EXPECT_EQ(backend->carries(rung, Type::f32, Operation::sum), table()[rung].present)
          << device_ladder[rung].id;
      EXPECT_FALSE(backend->carries(rung, Type::f32, Operation::bit_xor)) << device_ladder[rung].id;
    }
  }
  EXPECT_EQ(Kokkos::is_initialized(), before);
}

/// Fixture with Kokkos started as by the backends, and all backends open.
class KokkosBackendsOpen : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto why = why_not_started(0)) GTEST_SKIP() << *why;
    Kept::start(host::find_machine().default_workers);
    for (const auto& backend : backends_) {
      ASSERT_EQ(backend->open(0), std::nullopt) << backend->name();
    }
  }
  const Backends& all() const { return backends_; }
  /// Returns the backends whose memory is the host's.
  std::vector<Backend*> on_host() const {
    std::vector<Backend*> some;
    for (std::size_t i = 0; i < backends_.size(); ++i) {
      if (spaces()[i].on_host) some.push_back(backends_[i].get());
    }
    return some;
  }

 private:
  Backends backends_ = backends();
};

TEST_F(KokkosBackendsOpen, share_one_Kokkos) {
  const auto first = Runtime::start(0, 1);
  EXPECT_EQ(Runtime::start(0, 1000), first);
}

TEST_F(KokkosBackendsOpen, refuse_another_device_in_one_sentence_that_names_both) {
  const std::string text = tests::refusal_of([] { (void)Runtime::start(7, 1); });
  EXPECT_NE(text.find("device 0"), std::string::npos) << text;
  EXPECT_NE(text.find("device 7"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  for (const auto& backend : all()) {
    const auto told = backend->open(7);  // device 7 may also not exist
    ASSERT_TRUE(told) << backend->name();
    EXPECT_EQ(told->find('\n'), std::string::npos) << *told;
    EXPECT_NE(told->find('7'), std::string::npos) << *told;
    EXPECT_EQ(backend->open(0), std::nullopt) << backend->name();
  }
}

TEST_F(KokkosBackendsOpen, measure_alternately) {
  struct Bound {
    Backend* backend;
    std::unique_ptr<Buffer> input;
    std::vector<std::unique_ptr<Job>> jobs;
    Reference expected;
  };
  std::vector<Bound> bound;
  const std::vector<std::size_t> sizes{10007};
  const std::size_t n = sizes.front();
  for (const auto& backend : all()) {
    const Recipe recipe{Data::exact, Operation::sum, 11 + bound.size()};
    Bound one{backend.get(), backend->device().allocate(n * sizeof(float)), {}, {}};
    one.expected = references({Type::f32, recipe, nullptr}, Operation::sum, sizes, 1).front();
    backend->device().fill(one.input->data(), Type::f32, recipe, 0, n);
    const Problem sum{one.input->data(), n, Type::f32, Operation::sum, nullptr};
    for (const RungInfo& info : backend->rungs()) {
      one.jobs.push_back(info.why_absent.empty() && info.rung.takes(Grouping::whole)
                             ? backend->prepare(rung_of(*backend, info.rung.id), sum, {})
                             : nullptr);
    }
    bound.push_back(std::move(one));
  }
  for (int round = 0; round < 3; ++round) {
    for (std::size_t rung = 0; rung < all().front()->rungs().size(); ++rung) {
      for (Bound& one : bound) {
        if (one.jobs[rung] == nullptr) continue;
        if (round == 0 && rung < 4) one.backend->device().evict();
        const Verdict verdict =
            check(result_of(*one.backend, *one.jobs[rung]), one.expected, false, 0);
        EXPECT_TRUE(verdict.ok) << one.backend->name() << " " << one.backend->rungs()[rung].rung.id
                                << ", round " << round << ": " << verdict.message;
      }
    }
  }
}

TEST_F(KokkosBackendsOpen, stand_on_the_host_s_device_or_have_a_clock_of_their_own) {
  for (std::size_t i = 0; i < all().size(); ++i) {
    Backend& backend = *all()[i];
    // Named as by the CPU backend, so that all share one input and one ceiling.
    EXPECT_EQ(backend.device().name() == "host", spaces()[i].on_host) << backend.name();
    EXPECT_NE(backend.device().has_timer(), spaces()[i].on_host) << backend.name();
    EXPECT_EQ(backend.device().facts().kind, spaces()[i].on_host ? "cpu" : "gpu") << backend.name();
    for (const RungInfo& info : backend.rungs()) {
      if (spaces()[i].on_host) {
        EXPECT_TRUE(info.blocks) << info.rung.id;
      } else {
        EXPECT_TRUE(info.library || !info.blocks) << info.rung.id;
      }
    }
  }
}

TEST_F(KokkosBackendsOpen, of_the_host_pin_while_they_are_measured_and_evicted) {
  for (Backend* const backend : on_host()) {
    constexpr std::size_t n = 1000;
    const auto input = backend->device().allocate(n * sizeof(float));
    const auto job = backend->prepare(rung_of(*backend, "r12"),
                                      {input->data(), n, Type::f32, Operation::sum, nullptr}, {});
    const host::Mask before = host::mask_of_caller();
    job->arm();
    const host::Mask pinned = host::mask_of_caller();
    int cpus = 0;
    for (const cpu_set_t& part : pinned) cpus += CPU_COUNT(&part);
    EXPECT_EQ(cpus, 1) << backend->name();
    backend->device().evict();
    EXPECT_TRUE(host::same(host::mask_of_caller(), pinned)) << backend->name();
    job->disarm();
    EXPECT_TRUE(host::same(host::mask_of_caller(), before)) << backend->name();
  }
}

/// Runs in a separate process, since it ends Kokkos.
TEST(KokkosBackendsDeathTest, say_that_Kokkos_does_not_start_twice) {
  if (const auto why = why_not_started(0)) GTEST_SKIP() << *why;
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto start_again = [] {
    Runtime::start(0, 1).reset();
    const auto backend = std::move(backends().front());
    const auto told = backend->open(0);
    std::exit(told && told->find("once in a process") != std::string::npos ? 0 : 3);
  };
  EXPECT_EXIT(start_again(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ladder::kokkos
