#pragma once

// Opening a space: whether this machine can run it, its instance, and the device that it runs on.

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "common/accounting.hpp"
#include "common/device/device.hpp"
#include "kokkos/kokkos_runtime.hpp"
#include "kokkos/spaces/spaces.hpp"

namespace ladder::host {
class Pinning;
}

namespace ladder::kokkos {

/// A space that can be run on. Members end in the reverse order: Kokkos last.
struct Opened {
  std::shared_ptr<Runtime> runtime;
  std::shared_ptr<Device> device;
  AnySpace space;
  host::Pinning* pinning = nullptr;  ///< of the device's workers; null on a GPU
  /// What the kernels that `enqueue` launches occupy, one after another; they are not run. Null on
  /// a host, where nothing tells.
  std::vector<Launch> (*look_at)(Device& device, const std::function<void()>& enqueue) = nullptr;
};

/// "kokkos/openmp"
template <class Space>
std::string_view name_of();

/// Starts Kokkos if need be and makes an instance of `Space`; GPU `device` counts from 0. Throws
/// `NotPossible` with a sentence. One definition for each kind of space, beside this.
template <class Space>
Opened open(int device);

/// A sentence where Kokkos cannot be started at all in this build: with a space for GPUs it does
/// not start on a machine without one, and the host's spaces neither.
std::optional<std::string> why_not_started(int device);

}  // namespace ladder::kokkos
