#pragma once

// The Kokkos backends: one for each execution space of the build. Nothing of Kokkos is needed to
// include this.

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "common/backend.hpp"
#include "common/roster.hpp"

namespace ladder::kokkos {

class Queue;

/// The backends; made without a look at the machine, and without Kokkos being started.
std::vector<std::unique_ptr<Backend>> backends();

/// The same with `more` entries past their own: for tests.
std::vector<std::unique_ptr<Backend>> make_backends(std::span<const ladder::Extra<Queue>> more);

}  // namespace ladder::kokkos
