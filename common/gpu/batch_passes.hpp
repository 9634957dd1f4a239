#pragma once

// Launch shapes and passes of rungs for many reductions at once.

#include "common/gpu/model.hpp"
#include "common/model/groups_pass.hpp"
#include "common/model/layout.hpp"

namespace ladder::LADDER_MODEL {

/// Enough blocks for `count` items if a block takes `each` of them.
inline Shape shape_for(std::size_t count, std::size_t each, unsigned block) {
  return {ceil_div(count, each), block};
}

}  // namespace ladder::LADDER_MODEL
