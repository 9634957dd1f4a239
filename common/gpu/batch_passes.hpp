#pragma once

// What the rungs of many reductions at once are launched with.

#include "common/gpu/model.hpp"
#include "common/model/groups_pass.hpp"
#include "common/model/layout.hpp"

namespace ladder::LADDER_MODEL {

/// So many blocks that each of `count` things has one of `each` of a block's places.
inline Shape shape_for(std::size_t count, std::size_t each, unsigned block) {
  return {ceil_div(count, each), block};
}

}  // namespace ladder::LADDER_MODEL
