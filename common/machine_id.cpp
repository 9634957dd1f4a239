#include "common/machine_id.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string_view>

#include "common/data.hpp"

namespace ladder {
namespace {

/// The first line of a file, without the blanks around it; empty where it cannot be read.
std::string line_of(const std::filesystem::path& file) {
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  return line.erase(line.find_last_not_of(" \t\r") + 1);
}

/// Lines of /proc/cpuinfo on the first processor that no clock, no microcode and no mask changes:
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

HostFacts host_facts(const std::filesystem::path& root) {
  return {.machine_id = line_of(root / "etc/machine-id"),
          .product_uuid = line_of(root / "sys/class/dmi/id/product_uuid"),
          .board_serial = line_of(root / "sys/class/dmi/id/board_serial"),
          .processor = processor(root / "proc/cpuinfo"),
          .processors = line_of(root / "sys/devices/system/cpu/present"),
          .name = line_of(root / "proc/sys/kernel/hostname")};
}

std::string machine_id(const HostFacts& host) {
  const bool told = !(host.machine_id + host.product_uuid + host.board_serial).empty();
  if (!told && host.name.empty()) return {};
  std::uint64_t hash = 0x6c61646465720002;  // the salt; 1 was of /etc/machine-id alone
  const auto add = [&](std::string_view fact) {
    for (const char c : fact) hash = random_word(hash, static_cast<unsigned char>(c));
    hash = random_word(hash, 256);  // its end
  };
  add(host.machine_id);
  add(host.product_uuid);
  add(host.board_serial);
  add(host.processor);
  add(host.processors);
  add(told ? "" : host.name);
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace ladder
