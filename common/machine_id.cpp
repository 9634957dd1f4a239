#include "common/machine_id.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string_view>

#include "common/data.hpp"

namespace ladder {
namespace {

/// First line of a file without surrounding blanks; empty if it cannot be read.
std::string line_of(const std::filesystem::path& file) {
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  return line.erase(line.find_last_not_of(" \t\r") + 1);
}

/// Lines of /proc/cpuinfo for the first processor that do not depend on clock, microcode or mask:
/// x86-64's names, then Arm's.
std::string processor(const std::filesystem::path& cpuinfo) {
  std::string text, line;
  for (std::ifstream file(cpuinfo); std::getline(file, line) && !line.empty();) {
    const auto key = line.substr(0, line.find_first_of("\t:"));
    for (const std::string_view known :
         {"vendor_id", "cpu family", "model", "model name", "stepping", "CPU implementer",
          "CPU architecture", "CPU variant", "CPU part", "CPU revision"}) {
      if (key == known) text += line + '\n';
    }
  }
  return text;
}

}  // namespace

std::string machine_id(const std::filesystem::path& root) {
  const auto system = line_of(root / "etc/machine-id");  // machines of one image may share it
  // Firmware identities, usually readable by root alone.
  const auto product = line_of(root / "sys/class/dmi/id/product_uuid");
  const auto board = line_of(root / "sys/class/dmi/id/board_serial");
  std::string name;
  if ((system + product + board).empty()) {
    name = line_of(root / "proc/sys/kernel/hostname");
    if (name.empty()) return {};
  }
  std::uint64_t hash = 0x6c61646465720002;  // the salt; version 1 hashed /etc/machine-id alone
  for (const std::string& fact : {system, product, board, processor(root / "proc/cpuinfo"),
                                  line_of(root / "sys/devices/system/cpu/present"), name}) {
    for (const char c : fact) hash = random_word(hash, static_cast<unsigned char>(c));
    hash = random_word(hash, 256);  // separator
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace ladder
