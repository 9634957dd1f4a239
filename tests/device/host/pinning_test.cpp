// Pinning of workers: each has its own CPU while armed, and the caller's mask is restored.

#include "common/device/host/pinning.hpp"

#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "common/device/host/machine.hpp"
#include "tests/device/host/masks.hpp"

namespace ladder::host {
namespace {

Pinning make_pinning() {
  Machine machine = find_machine();
  return {std::move(machine.places), machine.default_workers};
}

/// Returns the masks of an OpenMP team of `workers` threads.
std::vector<Mask> masks_of_team(unsigned workers) {
  std::vector<Mask> masks(workers);
  const int threads = static_cast<int>(workers);
#pragma omp parallel num_threads(threads)
  masks[static_cast<std::size_t>(omp_get_thread_num())] = mask_of_caller();
  return masks;
}

TEST(Pinning, pins_each_worker_to_a_cpu_of_its_own) {
  Pinning pinning = make_pinning();
  for (unsigned workers = 1; workers <= pinning.max_workers(); ++workers) {
    pinning.arm(workers);
    const auto masks = masks_of_team(workers);
    pinning.disarm();
    for (unsigned worker = 0; worker < workers; ++worker) {
      EXPECT_TRUE(same(masks[worker], mask_of(pinning.places().cpus[worker]))) << worker;
    }
  }
}

TEST(Pinning, gives_the_main_thread_its_mask_back) {
  const Mask before = mask_of_caller();
  Pinning pinning = make_pinning();
  pinning.arm(pinning.max_workers());
  EXPECT_EQ(pinning.armed(), pinning.max_workers());
  pinning.arm(1);  // armed again without disarming: disarm() still restores the first mask
  EXPECT_TRUE(same(mask_of_caller(), mask_of(pinning.places().cpus[0])));
  pinning.disarm();
  EXPECT_EQ(pinning.armed(), 0U);
  EXPECT_TRUE(same(mask_of_caller(), before));
  pinning.disarm();  // a second call has no effect
  EXPECT_TRUE(same(mask_of_caller(), before));
}

TEST(Pinning, goes_without_where_the_kernel_allows_none) {
  Machine machine = find_machine();
  const Mask before = mask_of_caller();
  Pinning pinning(std::move(machine.places), machine.default_workers, false);
  pinning.arm(pinning.max_workers());
  EXPECT_EQ(pinning.armed(), pinning.max_workers());
  EXPECT_TRUE(same(mask_of_caller(), before));
  pinning.disarm();
}

TEST(Pinning, refuses_more_workers_than_there_are_places) {
  Pinning pinning = make_pinning();
  EXPECT_THROW(pinning.arm(pinning.max_workers() + 1), std::runtime_error);
  EXPECT_THROW(pinning.arm(0), std::runtime_error);
  EXPECT_EQ(pinning.armed(), 0U);
}

TEST(Pinning, arms_for_a_scope_whatever_was_armed_before) {
  const Mask before = mask_of_caller();
  Pinning pinning = make_pinning();
  { const Armed armed(pinning, 1); }
  EXPECT_TRUE(same(mask_of_caller(), before));
  pinning.arm(pinning.max_workers());
  { const Armed armed(pinning, 1); }
  EXPECT_EQ(pinning.armed(), pinning.max_workers());
  pinning.disarm();
  EXPECT_TRUE(same(mask_of_caller(), before));
}

}  // namespace
}  // namespace ladder::host
