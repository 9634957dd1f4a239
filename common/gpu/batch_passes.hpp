#pragma once

// What the rungs of many reductions at once are launched with.

#include "common/gpu/model.hpp"
#include "common/model/layout.hpp"

namespace ladder::LADDER_MODEL {

/// Reading all elements of a problem with groups and writing their results.
template <class Case>
Pass groups_pass(const View<Case>& problem, std::size_t depth) {
  return {problem.n * sizeof(typename Case::element),
          problem.groups.count * sizeof(typename Case::accumulator), depth};
}

/// So many blocks that each of `count` things has one of `each` of a block's places.
inline Shape shape_for(std::size_t count, std::size_t each, unsigned block) {
  return {ceil_div(count, each), block};
}

}  // namespace ladder::LADDER_MODEL
