#include "common/device/nvidia/nvml.hpp"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

namespace ladder::nvidia {
namespace {

namespace fs = std::filesystem;

class StandIn : public testing::Test {
 protected:
  void SetUp() override {
    library = fs::read_symlink("/proc/self/exe").parent_path() / "libstand_in_nvml.so";
    if (!fs::exists(library)) GTEST_SKIP() << "there is no " << library;
    TearDown();
  }
  void TearDown() override {
    for (const char* name : {"STAND_IN_ENERGY", "STAND_IN_LINKS", "STAND_IN_REASONS",
                             "STAND_IN_MIG", "STAND_IN_PROCESSES"})
      unsetenv(name);
  }
  std::string library;
};

TEST_F(StandIn, MillijoulesOfTheDriverAreJoulesOfTheCounter) {
  const Nvml nvml("0000:1b:00.0", library.c_str());
  setenv("STAND_IN_ENERGY", "123456789012", 1);
  const auto counter = energy_counter(nvml);
  EXPECT_DOUBLE_EQ(counter->joules(), 123456789.012);
  setenv("STAND_IN_ENERGY", "123456790012", 1);
  EXPECT_DOUBLE_EQ(counter->joules(), 123456790.012);
  EXPECT_NE(counter->source().find("nvmlDeviceGetTotalEnergyConsumption"), std::string::npos);
  unsetenv("STAND_IN_ENERGY");
  EXPECT_THROW(counter->joules(), std::runtime_error);
}

TEST_F(StandIn, AGpuWithoutACounterIsToldInASentence) {
  const Nvml nvml("0000:1b:00.0", library.c_str());
  EXPECT_EQ(nvml.conditions().front().value, "1980") << "it is there";
  EXPECT_THROW(energy_counter(nvml), NotPossible);
}

TEST_F(StandIn, APartOfAGpuHasNoEnergyOfItsOwnAndSaysSoWithOtherProcessesOnIt) {
  setenv("STAND_IN_ENERGY", "1", 1);
  const Nvml nvml("0000:1b:00.0", library.c_str());
  EXPECT_EQ(nvml.sharing(), "");
  setenv("STAND_IN_PROCESSES", "3", 1);
  EXPECT_EQ(nvml.sharing(), "3 processes on it");
  setenv("STAND_IN_MIG", "1", 1);
  EXPECT_EQ(nvml.sharing(), "a part of a GPU (MIG), 3 processes on it");
  EXPECT_THROW(energy_counter(nvml), NotPossible);
}

TEST_F(StandIn, WhatLowersTheClocksIsAnythingButIdlenessAndSettings) {
  const Nvml nvml("0000:1b:00.0", library.c_str());
  EXPECT_EQ(nvml.slowdown(), "") << "it is not told";
  for (const auto& [mask, words] : {std::pair{"0", ""},
                                    {"1", ""},
                                    {"2", ""},
                                    {"110", ""},
                                    {"4", "power cap"},
                                    {"41", "thermal slowdown (hardware)"},
                                    {"88", "hardware slowdown, power brake"}}) {
    setenv("STAND_IN_REASONS", mask, 1);
    EXPECT_EQ(nvml.slowdown(), words) << mask;
  }
  EXPECT_EQ(nvml.conditions().back().value, "hardware slowdown, power brake");
}

TEST_F(StandIn, TellsTheVbiosAndTheClockAndNothingThatTheDriverDoesNotTell) {
  const Nvml nvml("0000:1b:00.0", library.c_str());
  EXPECT_EQ(nvml.clock_mhz(), 1980U);
  const auto facts = nvml.facts();
  ASSERT_EQ(facts.size(), 1U) << "no board part number";
  EXPECT_EQ(facts[0].name + " " + facts[0].value, "VBIOS 96.00.DA.00.0C");
}

TEST_F(StandIn, AnotherGpuHasNone) {
  setenv("STAND_IN_ENERGY", "1", 1);
  const Nvml nvml("0000:1c:00.0", library.c_str());
  EXPECT_TRUE(nvml.conditions().empty());
  EXPECT_THROW(energy_counter(nvml), NotPossible);
}

TEST_F(StandIn, LinksThatAreUpAreCounted) {
  const Nvml nvml("0000:1b:00.0", library.c_str());
  const auto told = [&] {
    for (const Fact& fact : nvml.facts())
      if (fact.name == "NVLinks") return fact.value;
    return std::string();
  };
  EXPECT_EQ(told(), "");
  setenv("STAND_IN_LINKS", "-u-uu", 1);  // the first and the third are down
  EXPECT_EQ(told(), "3");
}

TEST(Nvml, WithoutTheLibraryThereIsNothing) {
  const Nvml nvml("0000:1b:00.0", "libno_such_library.so");
  EXPECT_TRUE(nvml.facts().empty());
  EXPECT_FALSE(nvml.joules());
  EXPECT_THROW(energy_counter(nvml), NotPossible);
}

}  // namespace
}  // namespace ladder::nvidia
