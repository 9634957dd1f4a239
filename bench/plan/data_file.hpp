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
  /// Reads a .npy file (one type, C order, any shape) or else raw elements of `type`, at least one.
  /// Throws `UsageError` where `path` is no regular file, cannot be read, holds another type or
  /// another number of elements than its header says, or is of a format that is known to be neither
  /// (an archive, text).
  DataFile(const std::string& path, Type type);
  std::size_t elements() const { return bytes_.size() / facts(type_).bytes; }
  const void* data() const { return bytes_.data(); }

 private:
  Type type_;
  std::vector<std::byte> bytes_;
};

}  // namespace ladder::bench
