#pragma once

#include <string>

namespace ladder {

/// Tells this host from others without naming it: a hash of /etc/machine-id with this project's own
/// salt, as machine-id(5) asks for, in 16 hexadecimal digits; empty where the system has no such
/// file.
std::string machine_id();

}  // namespace ladder
