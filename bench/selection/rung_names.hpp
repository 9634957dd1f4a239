#pragma once

// Which rungs --rungs means: ids, slugs, ranges, "lib".

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "bench/selection/selection.hpp"
#include "common/model/backend.hpp"

namespace ladder::bench {

/// Of each backend the indices into `rungs()`, ascending. Throws `UsageError` where a part of the
/// list means nothing on any of them.
std::map<const Backend*, std::vector<std::size_t>> chosen_rungs(
    const Selection& selection, std::span<const std::unique_ptr<Backend>> backends);

}  // namespace ladder::bench
