#pragma once

// The Kokkos backends, one per execution space of the build, and their rungs.

#include <memory>
#include <span>
#include <vector>

#include "common/model/roster.hpp"
#include "kokkos/kokkos_queue.hpp"

namespace ladder::kokkos {

using Entry = ladder::Entry<Queue>;
using Extra = ladder::Extra<Queue>;

/// In the order of `device_ladder` and `batch_ladder`.
std::span<const Entry> table();
std::span<const Entry> batch_table();
/// Kokkos's own reductions.
std::span<const Extra> library();

/// The backends plus `more` entries (used by tests). Does not query the machine or start Kokkos.
std::vector<std::unique_ptr<Backend>> make_backends(std::span<const Extra> more);
std::vector<std::unique_ptr<Backend>> backends();

}  // namespace ladder::kokkos
