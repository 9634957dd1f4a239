#include "common/device/amd/smi.hpp"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "common/device/device.hpp"

namespace ladder::amd {
namespace {

namespace fs = std::filesystem;

class SmiStandIn : public testing::Test {
 protected:
  void SetUp() override {
    library = fs::read_symlink("/proc/self/exe").parent_path() / "libstand_in_smi.so";
    if (!fs::exists(library)) GTEST_SKIP() << "there is no " << library;
    setenv("STAND_IN_ENERGY", "4000000000", 1);
  }
  void TearDown() override { unsetenv("STAND_IN_ENERGY"); }
  std::string library;
};

TEST_F(SmiStandIn, CountsAreOfTheUnitThatTheLibraryTells) {
  const auto counter = open_smi("0001:c1:00.0", library);
  EXPECT_DOUBLE_EQ(counter->joules(), 61'000);
  setenv("STAND_IN_ENERGY", "8000000000", 1);
  EXPECT_DOUBLE_EQ(counter->joules(), 122'000);
  EXPECT_NE(counter->source().find("rsmi_dev_energy_count_get"), std::string::npos);
  unsetenv("STAND_IN_ENERGY");
  EXPECT_THROW(counter->joules(), std::runtime_error);
}

TEST_F(SmiStandIn, AGpuThatIsAnotherOrDoesNotCountHasNone) {
  EXPECT_THROW(open_smi("0000:c1:00.0", library), NotPossible) << "it tells nothing";
  EXPECT_THROW(open_smi("0001:c2:00.0", library), NotPossible) << "it is not there";
  EXPECT_THROW(open_smi("no address", library), NotPossible);
}

TEST(Smi, WithoutTheLibraryThereIsNone) {
  EXPECT_THROW(open_smi("0001:c1:00.0", "libno_such_library.so"), NotPossible);
}

}  // namespace
}  // namespace ladder::amd
