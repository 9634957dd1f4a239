#include "common/device/host/groups.hpp"

#include <fstream>
#include <string>

namespace ladder::host {
namespace {

namespace fs = std::filesystem;

Groups groups_below(bool unified, const fs::path& mount, const fs::path& group) {
  Groups groups{unified, {}};
  for (fs::path below = group.relative_path();; below = below.parent_path()) {
    groups.folders.push_back(mount / below);
    if (below.empty()) return groups;
  }
}

}  // namespace

std::vector<Groups> groups_of(std::string_view controller, const fs::path& root) {
  const fs::path mount = root / "sys/fs/cgroup";
  const std::string wanted = "," + std::string(controller) + ",";
  std::vector<Groups> all;
  // Each line is "number:controllers:group"; version 2 has number 0 and no controllers.
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) all.push_back(groups_below(true, mount, group));
    if (("," + controllers + ",").find(wanted) != std::string::npos)
      all.push_back(groups_below(false, mount / controller, group));
  }
  return all;
}

}  // namespace ladder::host
