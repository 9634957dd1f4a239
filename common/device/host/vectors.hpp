#pragma once

// Selection of the Highway target at run time: all sources that Highway compiles several times use
// the same one.

#include <cstddef>
#include <string>
#include <vector>

namespace ladder::host {

struct VectorTarget {
  std::string name;       ///< Highway's name: "AVX3"
  std::size_t bytes = 0;  ///< size of a vector
};

/// The selected target.
VectorTarget vector_target();

/// All compiled targets that the processor supports, best first.
std::vector<std::string> vector_targets();

/// Limits later calls to the targets of a comma-separated list ("AVX2,SSE4"), and the baseline.
/// Empty: all targets of the processor. Throws `NotPossible` if a listed target is unknown or
/// unavailable here.
void limit_vector_targets(const std::string& names);

}  // namespace ladder::host
