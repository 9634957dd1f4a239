#include "several/local/pci.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace ladder::several {
namespace {

/// Empty where there is no such file.
std::string line_of(const std::string& file) {
  std::ifstream opened(file);
  std::string line;
  std::getline(opened, line);
  return line;
}

}  // namespace

std::vector<Fact> plugged_in(const std::string& name, std::string address,
                             const std::string& folder) {
  std::ranges::transform(address, address.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  const std::string at = folder + "/" + address + "/";
  std::vector<Fact> facts;
  // -1 where the system does not know.
  if (const auto node = line_of(at + "numa_node"); !node.empty() && node.front() != '-')
    facts.push_back({name + " NUMA node", node, at + "numa_node"});
  const auto lanes = [&](const std::string& when) {
    const auto width = line_of(at + when + "_link_width"),
               speed = line_of(at + when + "_link_speed");
    // 0 or 255 lanes, and "Unknown": nothing that is a slot.
    const bool known = !width.empty() && width != "0" && width != "255" && !speed.empty() &&
                       std::isdigit(static_cast<unsigned char>(speed.front())) != 0;
    return known ? width + " lanes of " + speed : "";
  };
  const std::string now = lanes("current"), most = lanes("max");
  if (!now.empty()) {
    facts.push_back({name + " PCIe", now + (most.empty() || most == now ? "" : ", at most " + most),
                     at + "current_link_speed"});
  }
  return facts;
}

}  // namespace ladder::several
