#pragma once

#include <filesystem>
#include <string>

namespace ladder {

/// Anonymous host identifier in 16 hexadecimal digits: a hash of the system's and the firmware's
/// identities with this project's own salt, as machine-id(5) requires. It does not change with a
/// boot, the affinity mask or a network card. The host's name counts only if neither has an
/// identity, since that of a container is new each time. Empty if there is no name either:
/// processors alone do not distinguish machines. `root`: parent of /etc, /proc and /sys.
std::string machine_id(const std::filesystem::path& root = "/");

}  // namespace ladder
