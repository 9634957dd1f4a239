#pragma once

// Input from a file, for --data=file:PATH.

#include <string>

#include "common/types.hpp"

namespace ladder::bench {

/// Reads a .npy file (one type, C order, any shape), else raw elements of `type`; at least one.
/// Returns the bytes of the elements. Throws `UsageError` for anything but a readable regular file
/// of such content.
std::string read_data_file(const std::string& path, Type type);

}  // namespace ladder::bench
