#pragma once

// Measured choices for the tuned rung on a device.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "common/operations.hpp"
#include "common/types.hpp"

namespace ladder {

struct Tuned {
  /// From `from_bytes` of a type and operation up to the next line: threads per block, vectors in
  /// flight per thread, blocks per SM (0: as many as one pass needs; -1: one block in all).
  struct Line {
    Type type;
    Operation operation;
    std::size_t from_bytes;
    unsigned block, vectors;
    int per_unit;
  };
  /// The same on a CPU: maximum threads, pieces of its share that each thread reads concurrently
  /// (1, 2 or 4), and prefetch distance in bytes (0: none; only with two pieces).
  struct HostLine {
    std::size_t from_bytes;
    unsigned workers, pieces;
    std::size_t prefetch;
  };
  std::string source;  ///< the file and its hash; empty if there is none
  std::vector<Line> lines;

  /// The matching line, or null if there is none.
  const Line* find(Type type, Operation operation, std::size_t bytes) const {
    const Line* found = nullptr;
    for (const Line& line : lines) {
      if (line.type != type || line.operation != operation || line.from_bytes > bytes) continue;
      if (found == nullptr || line.from_bytes >= found->from_bytes) found = &line;
    }
    return found;
  }

  void add(Type type, Operation operation, const HostLine& line) {
    auto& some = host_lines_[of(type, operation)];
    const auto later = [](std::size_t bytes, const HostLine& one) {
      return bytes < one.from_bytes;
    };
    some.insert(std::upper_bound(some.begin(), some.end(), line.from_bytes, later), line);
  }
  /// Sorted by `from_bytes`. A small sum takes ten nanoseconds, too few to search all lines.
  const std::vector<HostLine>& host_lines(Type type, Operation operation) const {
    return host_lines_[of(type, operation)];
  }
  const HostLine* find_host(Type type, Operation operation, std::size_t bytes) const {
    const HostLine* found = nullptr;
    for (const HostLine& line : host_lines(type, operation)) {
      if (line.from_bytes > bytes) break;
      found = &line;
    }
    return found;
  }

 private:
  static std::size_t of(Type type, Operation operation) {
    return static_cast<std::size_t>(type) * operations.size() + static_cast<std::size_t>(operation);
  }
  std::array<std::vector<HostLine>, types.size() * operations.size()> host_lines_;
};

}  // namespace ladder
