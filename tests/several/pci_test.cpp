// What the system tells of where a device is plugged in, from files that stand in for its own.

#include "several/local/pci.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace ladder::several {
namespace {

class PluggedIn : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("pci_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_ / "0000:1b:00.0");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void tell(const std::string& file, const std::string& line) {
    std::ofstream(folder_ / "0000:1b:00.0" / file) << line << "\n";
  }
  /// "name: value; ..." of what is told of the device.
  std::string told() {
    std::string all;
    for (const Fact& fact : plugged_in("GPU 3", "0000:1B:00.0", folder_))
      all += fact.name + ": " + fact.value + "; ";
    return all;
  }

  std::filesystem::path folder_;
};

TEST_F(PluggedIn, IsToldAsFarAsTheSystemKnows) {
  EXPECT_EQ(told(), "");
  tell("numa_node", "-1");
  tell("current_link_width", "255");
  tell("current_link_speed", "Unknown");
  EXPECT_EQ(told(), "");
  tell("numa_node", "1");
  tell("current_link_width", "16");
  EXPECT_EQ(told(), "GPU 3 NUMA node: 1; ");
  tell("current_link_speed", "2.5 GT/s PCIe");
  EXPECT_EQ(told(), "GPU 3 NUMA node: 1; GPU 3 PCIe: 16 lanes of 2.5 GT/s PCIe; ");
  tell("max_link_width", "16");
  tell("max_link_speed", "32.0 GT/s PCIe");
  EXPECT_EQ(told(),
            "GPU 3 NUMA node: 1; GPU 3 PCIe: 16 lanes of 2.5 GT/s PCIe, at most 16 lanes of 32.0 "
            "GT/s PCIe; ");
}

}  // namespace
}  // namespace ladder::several
