#pragma once

#include "common/accounting.hpp"
#include "common/problem.hpp"

namespace ladder {

/// Pass that reads all elements of a problem with groups and writes their results, in chains of
/// `depth` operations.
template <class Case>
Pass groups_pass(const View<Case>& problem, std::size_t depth) {
  return {.read_bytes = problem.n * sizeof(typename Case::element),
          .written_bytes = problem.groups.count * sizeof(typename Case::accumulator),
          .depth = depth};
}

}  // namespace ladder
