#pragma once

// The model's backend and its rungs.

#include <memory>
#include <span>
#include <vector>

#include "common/gpu/model.hpp"
#include "common/model/roster.hpp"

namespace ladder::LADDER_MODEL {

using Entry = ladder::Entry<Queue>;
using Extra = ladder::Extra<Queue>;

/// Entries in the order of `device_ladder` and `batch_ladder`.
std::span<const Entry> table();
std::span<const Entry> batch_table();
/// Entries of the vendor's libraries: CUB and Thrust, or rocPRIM and hipCUB if found.
std::span<const Extra> library();

/// The backend with `more` entries past its own, for tests. Never accesses the hardware.
std::unique_ptr<Backend> make_backend(std::span<const Extra> more);
std::vector<std::unique_ptr<Backend>> backends();

}  // namespace ladder::LADDER_MODEL
