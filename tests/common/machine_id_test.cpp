// The machine id distinguishes hosts and is stable.

#include "common/machine_id.hpp"

#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "tests/folder.hpp"

namespace ladder {
namespace {

const char* const system_id = "etc/machine-id";
const char* const product = "sys/class/dmi/id/product_uuid";
const char* const board = "sys/class/dmi/id/board_serial";
const char* const cpuinfo = "proc/cpuinfo";
const char* const processors = "sys/devices/system/cpu/present";
const char* const host_name = "proc/sys/kernel/hostname";

/// Fixture with a fake /etc, /proc and /sys.
class MachineId : public testing::Test {
 protected:
  void SetUp() override {
    write(system_id, "3d1219c7c4c5404aaa1f6d2a48adfda4\n");
    write(cpuinfo, first + rest);
    write(processors, "0-1\n");
    write(host_name, "vm\n");
  }
  void write(const std::string& file, const std::string& text) { root_.write(file, text); }
  std::string id() const { return machine_id(root_.path); }

  const std::string first = "processor\t: 0\nmodel name\t: One @ 2 GHz\nstepping\t: 1\n";
  const std::string rest = "microcode\t: 0x1\ncpu MHz\t\t: 2600.0\n\nmodel name\t: Two\n";

 private:
  const tests::Folder root_;
};

TEST_F(MachineId, HasSixteenDigitsAndStaysTheSame) {
  EXPECT_TRUE(std::regex_match(id(), std::regex("[0-9a-f]{16}")));
  EXPECT_EQ(id(), "62170f1f1e2db1ea") << "records name machines by it";
}

TEST_F(MachineId, OfTwoMachinesMadeFromOneImageIsNotTheSame) {
  const std::string before = id();
  for (const char* file : {system_id, product, board, processors}) {
    write(file, "another\n");
    EXPECT_NE(id(), before) << file;
    SetUp();
    write(product, "");
    write(board, "");
    EXPECT_EQ(id(), before);
  }
  write(cpuinfo, "processor\t: 0\nmodel name\t: Three\n" + rest);
  EXPECT_NE(id(), before);
}

TEST_F(MachineId, ATextIsNotTakenForItsNeighbour) {
  write(product, "7");
  const std::string before = id();
  write(product, "");
  write(board, "7");
  EXPECT_NE(id(), before);
}

TEST_F(MachineId, StaysWithAnotherClockAnotherBootAndAContainersOtherName) {
  const std::string before = id();
  write(cpuinfo, first + "microcode\t: 0x2\ncpu MHz\t\t: 900.0\n");
  write(system_id, " 3d1219c7c4c5404aaa1f6d2a48adfda4 \n");
  write(host_name, "d1f0a2\n");
  EXPECT_EQ(id(), before);
}

TEST_F(MachineId, WithoutAnIdentityIsOfProcessorAndName) {
  write(system_id, "");
  const std::string before = id();
  EXPECT_NE(before, "");
  write(host_name, "another");
  EXPECT_NE(id(), before);
  write(host_name, "");
  EXPECT_EQ(id(), "") << "a model of processor is no machine";
}

}  // namespace
}  // namespace ladder
