#pragma once

// The CUDA backend and its rungs.

#include <memory>
#include <span>
#include <vector>

#include "common/model/roster.hpp"
#include "cuda/queue.hpp"

namespace ladder::cuda {

using Entry = ladder::Entry<Queue>;
using Extra = ladder::Extra<Queue>;

/// In the order of `device_ladder`.
std::span<const Entry> table();
/// CUB and Thrust.
std::span<const Extra> library();

/// The backend with `more` entries past its own (tests have such); made without a look at the
/// machine.
std::unique_ptr<Backend> make_backend(std::span<const Extra> more);
std::vector<std::unique_ptr<Backend>> backends();

}  // namespace ladder::cuda
