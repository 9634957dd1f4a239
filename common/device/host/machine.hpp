#pragma once

#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/device/host/pinning.hpp"

struct hwloc_topology;  // hwloc's

namespace ladder::host {

struct Machine {
  DeviceFacts facts;
  Places places;
  unsigned default_workers = 1;  ///< see Given::workers
};

/// What this process may use of the machine, by hwloc and the kernel. Throws std::runtime_error
/// with a sentence where that cannot be found out, `NotPossible` where OMP_NUM_THREADS asks for
/// more.
Machine find_machine();

/// The usable CPUs of a topology that hwloc has loaded, in the order of `Places`: so the cores of a
/// memory node stand together, and behind the fastest kind's those of the next. Throws
/// std::runtime_error where none is usable.
Places places_in(hwloc_topology* topology, const Mask& usable);

/// Clocks, governor and load now, as far as the kernel tells.
std::vector<Fact> conditions_of(const Places& places);

}  // namespace ladder::host
