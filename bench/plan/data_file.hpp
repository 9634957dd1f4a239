#pragma once

// Input from a file, for --data=file:PATH.

#include <cstddef>
#include <string>
#include <vector>

#include "common/types.hpp"

namespace ladder::bench {

/// The content of --data=file:PATH, in host memory.
class DataFile {
 public:
  /// Reads a .npy file (one type, C order, any shape), else raw elements of `type`; at least one.
  /// Throws `UsageError` for anything but a readable regular file of such content.
  DataFile(const std::string& path, Type type);
  std::size_t elements() const { return bytes_.size() / facts(type_).bytes; }
  const void* data() const { return bytes_.data(); }

 private:
  Type type_;
  std::vector<char> bytes_;
};

}  // namespace ladder::bench
