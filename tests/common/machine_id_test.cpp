// That a host is told from others, and stays the same.

#include "common/machine_id.hpp"

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace ladder {
namespace {

const HostFacts host{.machine_id = "3d1219c7c4c5404aaa1f6d2a48adfda4",
                     .product_uuid = "",
                     .board_serial = "",
                     .processor = "model name\t: One\n",
                     .processors = "0-1",
                     .name = "vm"};

HostFacts with(std::string HostFacts::*field, std::string value) {
  HostFacts other = host;
  other.*field = std::move(value);
  return other;
}

TEST(MachineId, HasSixteenDigitsAndNamesNothing) {
  EXPECT_TRUE(std::regex_match(machine_id(host), std::regex("[0-9a-f]{16}")));
  EXPECT_EQ(machine_id(host), machine_id(host));
}

TEST(MachineId, OfTwoMachinesMadeFromOneImageIsNotTheSame) {
  for (const auto field : {&HostFacts::machine_id, &HostFacts::product_uuid,
                           &HostFacts::board_serial, &HostFacts::processor, &HostFacts::processors})
    EXPECT_NE(machine_id(with(field, "another")), machine_id(host));
}

TEST(MachineId, ATextIsNotTakenForItsNeighbour) {
  HostFacts one = host, other = host;
  one.product_uuid = other.board_serial = "7";
  EXPECT_NE(machine_id(one), machine_id(other));
}

TEST(MachineId, StaysWhereAContainerHasAnotherName) {
  EXPECT_EQ(machine_id(with(&HostFacts::name, "d1f0a2")), machine_id(host));
}

TEST(MachineId, WithoutAnIdentityIsOfProcessorAndName) {
  HostFacts one{.machine_id = "",
                .product_uuid = "",
                .board_serial = "",
                .processor = "One",
                .processors = "0-1",
                .name = "a"};
  HostFacts other = one;
  EXPECT_NE(machine_id(one), "");
  other.name = "b";
  EXPECT_NE(machine_id(one), machine_id(other));
  other.name = "";
  EXPECT_EQ(machine_id(other), "") << "a model of processor is no machine";
}

class Root : public testing::Test {
 protected:
  Root() : path_(std::filesystem::temp_directory_path() / ("root_" + std::to_string(getpid()))) {}
  ~Root() override { std::filesystem::remove_all(path_); }
  void write(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((path_ / file).parent_path());
    std::ofstream(path_ / file) << text;
  }
  std::filesystem::path path_;
};

TEST_F(Root, TellsWhatDoesNotChangeWithAClockOrABoot) {
  write("etc/machine-id", "0123\n");
  write("sys/class/dmi/id/product_uuid", "4c4c \n");
  write("sys/devices/system/cpu/present", "0-1\n");
  write("proc/sys/kernel/hostname", "vm\n");
  const std::string rest =
      "stepping\t: 1\nmicrocode\t: 0x1\ncpu MHz\t\t: 2600.0\n\nmodel name\t: Two\n";
  write("proc/cpuinfo", "processor\t: 0\nmodel name\t: One @ 2 GHz\n" + rest);
  const HostFacts found = host_facts(path_);
  EXPECT_EQ(found.machine_id, "0123");
  EXPECT_EQ(found.product_uuid, "4c4c");
  EXPECT_EQ(found.board_serial, "");
  EXPECT_EQ(found.processor, "model name\t: One @ 2 GHz\nstepping\t: 1\n");
  EXPECT_EQ(found.processors, "0-1");
  EXPECT_EQ(found.name, "vm");
  const std::string before = machine_id(found);
  write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Two\n" + rest);
  EXPECT_NE(machine_id(host_facts(path_)), before);
}

TEST_F(Root, OfNothingTellsNothing) { EXPECT_EQ(machine_id(host_facts(path_)), ""); }

}  // namespace
}  // namespace ladder
