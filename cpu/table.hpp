#pragma once

// The CPU's rungs: what can be run of cpu_ladder, and what is there besides.

#include <span>

#include "common/accounting.hpp"
#include "common/ladder.hpp"
#include "common/roster.hpp"
#include "cpu/queue.hpp"

namespace ladder::cpu {

using Entry = ladder::Entry<Queue>;
using Extra = ladder::Extra<Queue>;

/// In cpu_ladder's order, each rung of it carried or absent with a reason.
std::span<const Entry> entries();

/// The library rungs.
std::span<const Extra> library();

/// What has to be made before `rung`, a library rung, can be timed with so many workers: the
/// library's threads. Nothing for other rungs.
void make_ready(std::string_view rung, Queue& queue, unsigned workers);

/// What a run does: all elements read once, the partials of the workers written and read, and the
/// longest chain of operations. A rung that promises no order may chain all elements.
Pass pass_of(const Rung& rung, const Problem& problem, unsigned workers);

}  // namespace ladder::cpu
