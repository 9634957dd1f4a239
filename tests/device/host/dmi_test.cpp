#include "common/device/host/dmi.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ladder::host {
namespace {

struct Module {
  std::string locator, bank;
  unsigned size = 16384, width = 64, speed = 4800;
};

class Table {
 public:
  Table& add(const Module& module) {
    std::vector<unsigned> fields(0x22, 0);
    fields[0] = 17;
    fields[1] = 0x22;
    const auto word = [&](std::size_t at, unsigned value) {
      fields[at] = value & 0xFF;
      fields[at + 1] = value >> 8;
    };
    word(0x08, module.width + 8);
    word(0x0A, module.width);
    word(0x0C, module.size);
    fields[0x10] = 1;
    fields[0x11] = 2;
    word(0x20, module.speed);
    for (const unsigned field : fields) bytes_.push_back(static_cast<std::byte>(field));
    for (const auto& text : {module.locator, module.bank}) {
      for (const char c : text) bytes_.push_back(static_cast<std::byte>(c));
      bytes_.push_back(std::byte{0});
    }
    bytes_.push_back(std::byte{0});
    return *this;
  }
  /// A structure of another kind, without strings.
  Table& add_other(unsigned kind) {
    for (const unsigned field : {kind, 4U, 0U, 0U, 0U, 0U})
      bytes_.push_back(static_cast<std::byte>(field));
    return *this;
  }
  Peak peak() const { return peak_of_modules(bytes_); }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

TEST(Modules, add_up_by_channel) {
  Table table;
  table.add_other(1)
      .add({"DIMM 0", "P0 CHANNEL A"})
      .add({"DIMM 1", "P0 CHANNEL A"})
      .add({"DIMM 0", "P0 CHANNEL B"})
      .add({"DIMM 0", "P1 CHANNEL A"})
      .add({"DIMM 1", "P1 CHANNEL B", 0})
      .add_other(127);
  const Peak peak = table.peak();
  ASSERT_TRUE(peak.gbs) << peak.source;
  EXPECT_DOUBLE_EQ(*peak.gbs, 3 * 8 * 4.8);
  EXPECT_NE(peak.source.find("3 channels"), std::string::npos) << peak.source;
  EXPECT_NE(peak.source.find("4800"), std::string::npos) << peak.source;
}

TEST(Modules, may_name_their_channel_in_their_own_locator) {
  const Peak peak = Table()
                        .add({"Controller0-ChannelA-DIMM0", "BANK 0"})
                        .add({"Controller1-ChannelA-DIMM0", "BANK 2"})
                        .peak();
  ASSERT_TRUE(peak.gbs) << peak.source;
  EXPECT_DOUBLE_EQ(*peak.gbs, 2 * 8 * 4.8);
}

TEST(Modules, without_a_channel_or_a_speed_make_the_peak_unknown) {
  const auto expect_unknown = [](const Table& table) {
    const Peak peak = table.peak();
    EXPECT_FALSE(peak.gbs);
    EXPECT_FALSE(peak.source.empty());
  };
  expect_unknown(Table().add({"DIMM_A1", "Not Specified"}));
  expect_unknown(Table().add({"DIMM 0", "CHANNEL A", 16384, 64, 0}));
  expect_unknown(Table().add({"DIMM 0", "CHANNEL A", 16384, 0xFFFF, 4800}));
  expect_unknown(Table().add({"DIMM 0", "CHANNEL"}));
  expect_unknown(
      Table().add({"DIMM 0", "CHANNEL A"}).add({"DIMM 1", "CHANNEL A", 16384, 64, 3200}));
  expect_unknown(Table().add({"DIMM 0", "CHANNEL A", 0}));
  expect_unknown(Table().add_other(1));
  expect_unknown(Table());
}

TEST(Modules, of_a_table_that_breaks_off_do_no_harm) {
  Table table;
  table.add({"DIMM 0", "P0 CHANNEL A"}).add({"DIMM 0", "P0 CHANNEL B"});
  while (!table.bytes().empty()) {
    table.bytes().pop_back();
    EXPECT_NO_THROW((void)table.peak());
  }
}

TEST(Peak, is_known_or_says_why_not) { EXPECT_FALSE(find_peak().source.empty()); }

}  // namespace
}  // namespace ladder::host
