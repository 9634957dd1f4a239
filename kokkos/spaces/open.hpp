#pragma once

// Opens a space: its availability on this machine, its instance and its device.

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

/// An open space. Members are destroyed in reverse order: Kokkos last.
struct Opened {
  std::shared_ptr<Runtime> runtime;
  std::shared_ptr<Device> device;
  AnySpace space;
  host::Pinning* pinning = nullptr;  ///< the device's workers; null on a GPU
  /// Launch facts of the kernels that `enqueue` launches, in order, without running them. Null on a
  /// host, which has none.
  std::vector<Launch> (*look_at)(Device& device, const std::function<void()>& enqueue) = nullptr;
};

/// Name, such as "kokkos/openmp".
template <class Space>
std::string_view name_of();

/// Starts Kokkos if needed and creates an instance of `Space` on GPU `device`. Throws `NotPossible`
/// with a reason. Defined once per kind of space in this folder.
template <class Space>
Opened open(int device);

/// Reason why Kokkos cannot start in this build: with a GPU space it needs a GPU, even for the host
/// spaces.
std::optional<std::string> why_not_started(int device);

}  // namespace ladder::kokkos
