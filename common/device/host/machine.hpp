#pragma once

#include <string>
#include <vector>

#include "common/device/device.hpp"
#include "common/device/host/pinning.hpp"

struct hwloc_topology;  // from hwloc

namespace ladder::host {

struct Machine {
  DeviceFacts facts;
  Places places;
  unsigned default_workers = 1;  ///< see ProcessLimits::workers
};

/// The part of the machine that this process may use, from hwloc and the kernel. Throws
/// std::runtime_error with a sentence if it is unknown, `NotPossible` if OMP_NUM_THREADS exceeds
/// it.
Machine find_machine();

/// Usable CPUs of a topology loaded by hwloc, in the order of `Places`: the fastest kind first;
/// within a kind, the cores of a memory node are contiguous. Throws std::runtime_error if none is
/// usable.
Places places_in(hwloc_topology* topology, const Mask& usable);

/// Current clocks, governor and load, as far as the kernel reports them.
std::vector<Fact> conditions_of(const Places& places);

}  // namespace ladder::host
