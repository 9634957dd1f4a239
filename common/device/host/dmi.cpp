#include "common/device/host/dmi.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

namespace ladder::host {
namespace {

constexpr unsigned memory_device = 17, end_of_table = 127;

/// One structure: its formatted part, then the strings that it refers to by number.
struct Structure {
  std::span<const std::byte> fields;
  std::vector<std::string> strings;

  unsigned byte(std::size_t at) const {
    return at < fields.size() ? std::to_integer<unsigned>(fields[at]) : 0;
  }
  unsigned word(std::size_t at) const { return byte(at) | byte(at + 1) << 8; }
  std::string text(std::size_t at) const {
    const unsigned number = byte(at);
    return number == 0 || number > strings.size() ? std::string() : strings[number - 1];
  }
};

std::vector<Structure> structures_in(std::span<const std::byte> table) {
  std::vector<Structure> found;
  while (table.size() >= 4) {
    const auto length = std::to_integer<std::size_t>(table[1]);
    if (length < 4 || length > table.size()) break;
    Structure structure{table.first(length), {}};
    table = table.subspan(length);
    // Strings end with a zero each, and the list with one more; an empty list is two zeros.
    while (!table.empty() && table.front() != std::byte{0}) {
      const auto end = std::ranges::find(table, std::byte{0});
      std::string text;
      for (auto c = table.begin(); c != end; ++c) text += static_cast<char>(*c);
      structure.strings.push_back(text);
      table = table.subspan(std::min(table.size(), text.size() + 1));
    }
    table = table.subspan(std::min<std::size_t>(table.size(), structure.strings.empty() ? 2 : 1));
    const bool last = structure.byte(0) == end_of_table;
    found.push_back(std::move(structure));
    if (last) break;
  }
  return found;
}

/// "P0 CHANNEL A" of "P0 CHANNEL A DIMM 0": all up to the word behind "channel"; empty without one.
std::string channel_in(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  constexpr std::string_view word = "CHANNEL";
  auto end = text.find(word);
  if (end == std::string::npos) return {};
  end = text.find_first_not_of(" _-", end + word.size());
  if (end == std::string::npos) return {};
  while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
  return text.substr(0, end);
}

Peak unknown(std::string why) { return {std::nullopt, std::move(why)}; }

}  // namespace

Peak peak_of_modules(std::span<const std::byte> table) {
  std::map<std::string, double> channels;  // GB/s of each
  std::size_t modules = 0;
  unsigned slowest = 0, fastest = 0;
  for (const Structure& device : structures_in(table)) {
    const unsigned size = device.word(0x0C);
    if (device.byte(0) != memory_device || size == 0) continue;  // an empty slot
    ++modules;
    const unsigned width = device.word(0x0A), speed = device.word(0x20);
    std::string channel = channel_in(device.text(0x11));  // the bank's locator
    if (channel.empty()) channel = channel_in(device.text(0x10));
    if (channel.empty()) return unknown("the memory modules do not say on which channel they are");
    if (width == 0 || width > 128 || speed == 0 || speed == 0xFFFF) {
      return unknown("the memory modules do not say how fast they run");
    }
    const double gbs = width / 8.0 * speed / 1000;
    const auto [known, added] = channels.try_emplace(channel, gbs);
    if (!added && known->second != gbs) {
      return unknown("memory modules of one channel differ in speed or width");
    }
    slowest = modules == 1 ? speed : std::min(slowest, speed);
    fastest = std::max(fastest, speed);
  }
  if (modules == 0) return unknown("the firmware lists no memory module");
  double sum = 0;
  for (const auto& [name, gbs] : channels) sum += gbs;
  const std::string speeds = slowest == fastest
                                 ? std::to_string(slowest)
                                 : std::to_string(slowest) + " to " + std::to_string(fastest);
  return {sum, "SMBIOS: " + std::to_string(channels.size()) + " channels (" +
                   std::to_string(modules) + " modules) at " + speeds + " million transfers/s"};
}

Peak find_peak() {
  std::ifstream processors("/proc/cpuinfo");
  std::string line;
  while (std::getline(processors, line)) {
    if (line.starts_with("flags") && line.find(" hypervisor") != std::string::npos) {
      return unknown("a virtual machine does not show the memory modules (say --peak-gbs)");
    }
    if (line.starts_with("flags")) break;
  }
  std::ifstream file("/sys/firmware/dmi/tables/DMI", std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file),
                                std::istreambuf_iterator<char>()};
  if (bytes.empty()) {
    return unknown("/sys/firmware/dmi/tables/DMI cannot be read (root can; or say --peak-gbs)");
  }
  return peak_of_modules(std::as_bytes(std::span(bytes)));
}

}  // namespace ladder::host
