#include "common/device/host/rapl.hpp"

#include <cstdint>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "common/device/device.hpp"

namespace ladder::host {
namespace {

namespace fs = std::filesystem;

/// A pretended /sys.
class Rapl : public testing::Test {
 protected:
  void SetUp() override {
    root = fs::path(testing::TempDir()) /
           ("ladder_rapl_" +
            std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(root);
  }
  void TearDown() override { fs::remove_all(root); }
  void write(const std::string& zone, const std::string& file, const std::string& text) const {
    const fs::path folder = root / "sys/class/powercap" / zone;
    fs::create_directories(folder);
    std::ofstream(folder / file) << text << "\n";
  }
  void zone(const std::string& zone, const std::string& name, std::uint64_t microjoules) const {
    write(zone, "name", name);
    write(zone, "max_energy_range_uj", "262143328850");
    write(zone, "energy_uj", std::to_string(microjoules));
  }
  fs::path root;
};

TEST_F(Rapl, PackagesAreAddedAndNothingElse) {
  zone("intel-rapl:0", "package-0", 1'000'000);
  zone("intel-rapl:1", "package-1", 500'000'000);
  zone("intel-rapl:0:0", "core", 1);
  zone("intel-rapl:0:1", "dram", 1);
  zone("intel-rapl:2", "psys", 1);
  zone("intel-rapl-mmio:0", "package-0", 1);
  const auto counter = open_rapl(root);
  EXPECT_EQ(counter->joules(), 0) << "counted from where it was opened";
  for (const char* other :
       {"intel-rapl:0:0", "intel-rapl:0:1", "intel-rapl:2", "intel-rapl-mmio:0"})
    write(other, "energy_uj", "900000000");
  EXPECT_EQ(counter->joules(), 0);
  write("intel-rapl:0", "energy_uj", "3000000");
  EXPECT_DOUBLE_EQ(counter->joules(), 2);
  write("intel-rapl:1", "energy_uj", "500500000");
  EXPECT_DOUBLE_EQ(counter->joules(), 2.5);
  EXPECT_NE(counter->source().find("2 packages"), std::string::npos) << counter->source();
}

TEST_F(Rapl, ACounterThatBeginsAgainGoesOn) {
  zone("intel-rapl:0", "package-0", 262'143'000'000);
  const auto counter = open_rapl(root);
  write("intel-rapl:0", "energy_uj", "671150");
  EXPECT_NEAR(counter->joules(), 1, 1e-9) << "0.32885 J to its end, and 0.67115 J behind it";
  write("intel-rapl:0", "energy_uj", "1671150");
  EXPECT_NEAR(counter->joules(), 2, 1e-9);
  write("intel-rapl:0", "energy_uj", "0");
  EXPECT_NEAR(counter->joules(), 2 + 262143.32885 - 1.67115, 1e-6);
}

TEST_F(Rapl, WhereTheEndIsNotToldACounterThatBeginsAgainNeverFalls) {
  zone("intel-rapl:0", "package-0", 5'000'000);
  fs::remove(root / "sys/class/powercap/intel-rapl:0/max_energy_range_uj");
  const auto counter = open_rapl(root);
  write("intel-rapl:0", "energy_uj", "6000000");
  EXPECT_DOUBLE_EQ(counter->joules(), 1);
  write("intel-rapl:0", "energy_uj", "500000");
  EXPECT_DOUBLE_EQ(counter->joules(), 1.5);
}

TEST_F(Rapl, WithoutACounterOrTheRightToReadItIsToldInASentence) {
  const auto why = [&] {
    try {
      open_rapl(root);
    } catch (const NotPossible& reason) {
      return std::string(reason.what());
    }
    return std::string();
  };
  EXPECT_NE(why().find("shows no energy counter"), std::string::npos) << why();
  write("intel-rapl:0", "name", "package-0");
  EXPECT_NE(why().find("intel-rapl:0/energy_uj cannot be read"), std::string::npos) << why();
  write("intel-rapl:0", "energy_uj", "");
  EXPECT_NE(why().find("cannot be read"), std::string::npos) << why();
}

TEST_F(Rapl, ACounterThatGoesAwayIsAnError) {
  zone("intel-rapl:0", "package-0", 1);
  const auto counter = open_rapl(root);
  fs::remove_all(root);
  EXPECT_THROW(counter->joules(), std::runtime_error);
}

}  // namespace
}  // namespace ladder::host
