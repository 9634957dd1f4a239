#pragma once

// What the tuned rung is to choose on a device, where somebody has found it out.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "common/operations.hpp"
#include "common/types.hpp"

namespace ladder {

struct Tuned {
  /// From so many bytes of a type and operation on, up to its next line: threads per block, vectors
  /// under way in each, and blocks per SM; 0: as many blocks as one pass takes, -1: one in all.
  struct Line {
    Type type;
    Operation operation;
    std::size_t from_bytes;
    unsigned block, vectors;
    int per_unit;
  };
  /// The same on a CPU: at most so many threads, the pieces of its share that each reads side by
  /// side (1, 2 or 4), and bytes from a load to its prefetch (0: none; by two pieces alone).
  struct HostLine {
    std::size_t from_bytes;
    unsigned workers, pieces;
    std::size_t prefetch;
  };
  std::string source;  ///< the file and its hash; empty where there is none
  std::vector<Line> lines;

  /// Null: nothing is known of it.
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
  /// From few bytes to many. A small sum takes ten nanoseconds: it cannot look through all.
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
