#pragma once

// The Kokkos backends, one for each execution space of the build, and their rungs.

#include <memory>
#include <span>
#include <vector>

#include "common/model/roster.hpp"
#include "kokkos/kokkos_queue.hpp"

namespace ladder::kokkos {

using Entry = ladder::Entry<Queue>;
using Extra = ladder::Extra<Queue>;

/// In the order of `device_ladder`, and of `batch_ladder`.
std::span<const Entry> table();
std::span<const Entry> batch_table();
/// What Kokkos itself reduces with.
std::span<const Extra> library();

/// The backends with `more` entries past their own (tests have such); made without a look at the
/// machine, and without Kokkos being started.
std::vector<std::unique_ptr<Backend>> make_backends(std::span<const Extra> more);
std::vector<std::unique_ptr<Backend>> backends();

}  // namespace ladder::kokkos
