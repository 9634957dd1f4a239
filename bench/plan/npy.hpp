#pragma once

// The header of a .npy file (numpy's format, versions 1 to 3).

#include <cstddef>
#include <string>
#include <vector>

#include "common/types.hpp"

namespace ladder::bench {

/// Whether the bytes begin as a .npy file does.
bool is_npy(const std::vector<std::byte>& bytes);

/// The offset of the data in a .npy file of one type, in C order, whose shape has as many elements
/// as follow. Throws `UsageError` where it is not such a file; `what` begins the sentence.
std::size_t npy_data(const std::string& what, const std::vector<std::byte>& bytes, Type type);

}  // namespace ladder::bench
