#include "common/device/host/machine.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace ladder::host {
namespace {

TEST(Machine, has_places_within_this_process_s_mask_each_once) {
  const Machine machine = find_machine();
  const auto& cpus = machine.places.cpus;
  ASSERT_FALSE(cpus.empty());
  EXPECT_EQ(std::set<unsigned>(cpus.begin(), cpus.end()).size(), cpus.size());
  const Mask mask = mask_of_caller();
  for (const unsigned cpu : cpus) EXPECT_TRUE(contains(mask, cpu)) << cpu;
  EXPECT_GE(machine.places.cores, 1U);
  EXPECT_LE(machine.places.cores, cpus.size());
  EXPECT_GE(machine.default_workers, 1U);
  EXPECT_LE(machine.default_workers, machine.places.cores);
}

TEST(Machine, keeps_to_a_narrower_mask) {
  const Mask before = mask_of_caller();
  const unsigned last = find_machine().places.cpus.back();
  ASSERT_TRUE(set_mask_of_caller(mask_of(last)));
  const Machine narrow = find_machine();
  set_mask_of_caller(before);
  EXPECT_EQ(narrow.places.cpus, std::vector<unsigned>{last});
  EXPECT_EQ(narrow.facts.units, 1U);
  EXPECT_EQ(narrow.facts.max_workers, 1U);
}

TEST(Machine, has_sane_facts_each_with_its_source) {
  const DeviceFacts facts = find_machine().facts;
  EXPECT_EQ(facts.kind, "cpu");
  EXPECT_FALSE(facts.name.empty());
  EXPECT_GE(facts.memory_bytes, std::size_t{64} << 20);
  EXPECT_LE(facts.last_level_cache, std::size_t{16} << 30);
  EXPECT_FALSE(facts.peak_source.empty());
  if (facts.peak_gbs) {
    EXPECT_GT(*facts.peak_gbs, 1.0);
    EXPECT_LT(*facts.peak_gbs, 10000.0);
  }
  for (const Fact& fact : facts.more) {
    EXPECT_FALSE(fact.value.empty()) << fact.name;
    EXPECT_FALSE(fact.source.empty()) << fact.name;
  }
}

TEST(Machine, tells_its_conditions) {
  const auto conditions = conditions_of(find_machine().places);
  EXPECT_TRUE(std::ranges::any_of(conditions, [](const Fact& f) { return f.name == "load"; }));
  for (const Fact& fact : conditions) EXPECT_FALSE(fact.value.empty()) << fact.name;
}

}  // namespace
}  // namespace ladder::host
