#pragma once

#include <filesystem>
#include <string>

namespace ladder {

/// Tells a host from others without naming it: a hash of what the system and the firmware tell,
/// with this project's own salt, as machine-id(5) asks for, in 16 hexadecimal digits. None of that
/// changes with a boot, with the affinity mask or with a network card. The host's name counts only
/// where neither has an identity, since that of a container is new each time. Empty where there is
/// no name either: processors do not tell machines apart. `root`: where /etc, /proc and /sys are.
std::string machine_id(const std::filesystem::path& root = "/");

}  // namespace ladder
