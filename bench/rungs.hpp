#pragma once

// Which rungs the parts of --rungs mean: ids, slugs, ranges, "lib".

#include <memory>
#include <span>
#include <vector>

#include "bench/selection.hpp"
#include "common/backend.hpp"

namespace ladder::bench {

/// Throws `UsageError` where a part means nothing on any of the backends.
void check_rungs(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends);

/// Indices into `backend.rungs()`, ascending.
std::vector<std::size_t> selected_rungs(const Selection& selection, const Backend& backend);

}  // namespace ladder::bench
