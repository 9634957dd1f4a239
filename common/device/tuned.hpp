#pragma once

// What the tuned rung is to choose on a device, where somebody has found it out.

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
};

}  // namespace ladder
