#include "common/device/host/machine.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <hwloc.h>

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

TEST(Machine, has_sane_facts_and_no_peak) {
  const DeviceFacts facts = find_machine().facts;
  EXPECT_GE(facts.memory_bytes, std::size_t{64} << 20);
  EXPECT_LE(facts.last_level_cache, std::size_t{16} << 30);
  EXPECT_FALSE(facts.peak_gbs) << "--peak-gbs alone gives it";
}

// Synthetic hwloc machines: the host need not have several memory nodes or kinds of core.

using Topology = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;

/// Throws if hwloc rejects the description.
Topology machine_of(const char* description) {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) throw std::runtime_error("hwloc cannot be started");
  Topology owner(topology, hwloc_topology_destroy);
  if (hwloc_topology_set_synthetic(topology, description) != 0 ||
      hwloc_topology_load(topology) != 0) {
    throw std::runtime_error(std::string("hwloc makes no machine of ") + description);
  }
  return owner;
}

using Cpus = std::vector<unsigned>;
const Cpus all{0, 1, 2, 3, 4, 5, 6, 7};

Mask mask_of_all(const Cpus& cpus) {
  Mask mask{};
  for (const unsigned cpu : cpus) CPU_SET(cpu % CPU_SETSIZE, &mask[cpu / CPU_SETSIZE]);
  return mask;
}

void expect_places(const Topology& machine, const Cpus& usable, const Cpus& cpus, unsigned cores) {
  const Places places = places_in(machine.get(), mask_of_all(usable));
  EXPECT_EQ(places.cpus, cpus);
  EXPECT_EQ(places.cores, cores);
}

TEST(Places, have_first_threads_of_all_memory_nodes_before_second_ones) {
  expect_places(machine_of("node:2 core:2 pu:2"), all, {0, 2, 4, 6, 1, 3, 5, 7}, 4);
  // Even numbers are on node 0, odd ones on node 1, and second threads begin at 4.
  expect_places(machine_of("node:2 core:2 pu:2(indexes=0,4,2,6,1,5,3,7)"), all,
                {0, 2, 1, 3, 4, 6, 5, 7}, 4);
}

TEST(Places, are_within_the_mask_on_every_node) {
  const Topology four_nodes = machine_of("node:4 core:1 pu:2");
  // Only the second thread of node 0, and no thread of node 2.
  expect_places(four_nodes, {1, 2, 3, 6, 7}, {1, 2, 6, 3, 7}, 3);
  EXPECT_THROW(places_in(four_nodes.get(), mask_of_all({8})), std::runtime_error);
}

#if HWLOC_API_VERSION >= 0x00020400

/// Registers these CPUs with hwloc as a kind of core; a higher efficiency is a faster kind.
void are_of_kind(const Topology& topology, const Cpus& which, int efficiency) {
  const hwloc_bitmap_t cpus = hwloc_bitmap_alloc();
  for (const unsigned cpu : which) hwloc_bitmap_set(cpus, cpu);
  EXPECT_EQ(hwloc_cpukinds_register(topology.get(), cpus, efficiency, 0, nullptr, 0), 0);
  hwloc_bitmap_free(cpus);
}

TEST(Places, begin_with_the_fastest_kind_of_core_each_kind_in_the_order_of_the_nodes) {
  const Topology two_kinds = machine_of("core:4 pu:2");
  are_of_kind(two_kinds, {0, 1, 2, 3, 4, 5}, 10);
  are_of_kind(two_kinds, {6, 7}, 50);
  expect_places(two_kinds, all, {6, 0, 2, 4, 7, 1, 3, 5}, 4);
  expect_places(two_kinds, {0, 1, 2, 3, 4, 5}, {0, 2, 4, 1, 3, 5}, 3);
  const Topology mixed = machine_of("node:2 core:4 pu:1");
  are_of_kind(mixed, {0, 1}, 10);
  are_of_kind(mixed, {2, 3, 6, 7}, 50);
  are_of_kind(mixed, {4, 5}, 30);
  expect_places(mixed, all, {2, 3, 6, 7, 4, 5, 0, 1}, 8);
}

#endif

TEST(Machine, tells_its_conditions) {
  const auto conditions = conditions_of(find_machine().places);
  EXPECT_TRUE(std::ranges::any_of(conditions, [](const Fact& f) { return f.name == "load"; }));
  for (const Fact& fact : conditions) EXPECT_FALSE(fact.value.empty()) << fact.name;
}

}  // namespace
}  // namespace ladder::host
