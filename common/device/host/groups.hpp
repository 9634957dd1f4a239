#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace ladder::host {

/// The control groups of this process that have a controller, in one hierarchy.
struct Groups {
  bool unified = false;                        ///< version 2
  std::vector<std::filesystem::path> folders;  ///< its own group first, then all above it
};

/// By /proc/self/cgroup below `root`, for "memory" or "cpu". Inside a container the own group may
/// not be mounted: the folders need not exist.
std::vector<Groups> groups_of(std::string_view controller, const std::filesystem::path& root);

}  // namespace ladder::host
