#pragma once

// Opening a space: whether this machine can run it, its instance and its device.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kokkos/device.hpp"
#include "kokkos/runtime.hpp"
#include "kokkos/spaces.hpp"

namespace ladder::kokkos {

/// A space that can be run on. Members end in the reverse order: Kokkos last.
struct Opened {
  std::shared_ptr<Runtime> runtime;
  std::unique_ptr<Device> device;
  AnySpace space;
};

/// "kokkos/openmp"
template <class Space>
std::string_view name_of();

/// Starts Kokkos if need be and makes an instance of `Space`; GPU `device` counts from 0. Throws
/// `NotPossible` with a sentence. One definition for each kind of space: devices/.
template <class Space>
Opened open(int device);

/// A sentence where Kokkos cannot be started at all in this build: with a space for GPUs it does
/// not start on a machine without one, and the host's spaces neither.
std::optional<std::string> why_not_started(int device);

}  // namespace ladder::kokkos
