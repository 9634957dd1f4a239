#pragma once

#include <filesystem>
#include <string>

namespace ladder {

/// What a host tells of itself, each in one line; empty where it does not, or not to this user.
/// None of it changes with a boot, with the affinity mask or with a network card.
struct HostFacts {
  std::string machine_id;    // /etc/machine-id: machines made from one image may share it
  std::string product_uuid;  // of the firmware: as a rule for root alone
  std::string board_serial;  // likewise
  std::string processor;     // maker, model and stepping of the first
  std::string processors;    // which of them are built in: "0-15"
  std::string name;          // the host's
};

/// `root`: where /etc, /proc and /sys are.
HostFacts host_facts(const std::filesystem::path& root = "/");

/// Tells a host from others without naming it: a hash of what it tells, with this project's own
/// salt, as machine-id(5) asks for, in 16 hexadecimal digits. The name counts where neither the
/// system nor the firmware has an identity, since that of a container is new each time. Empty where
/// nothing but processors is told: these do not tell machines apart.
std::string machine_id(const HostFacts& host = host_facts());

}  // namespace ladder
