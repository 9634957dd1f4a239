#pragma once

// Which of Highway's targets vectors are made for, here and now: all sources that Highway compiles
// several times follow the one choice.

#include <cstddef>
#include <string>
#include <vector>

namespace ladder::host {

struct VectorTarget {
  std::string name;       ///< as Highway calls it: "AVX3"
  std::size_t bytes = 0;  ///< of a vector
};

/// The one that runs.
VectorTarget vector_target();

/// All that are compiled and that the processor has, the best first.
std::vector<std::string> vector_targets();

/// From now on only those in a list with commas ("AVX2,SSE4") run, and the least that there is.
/// Empty: all that the processor has. Throws `NotPossible` where one is not known, or the processor
/// does not have any of them.
void limit_vector_targets(const std::string& names);

}  // namespace ladder::host
