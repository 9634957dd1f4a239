#pragma once

// One cell of the study, and its name.

#include <cstddef>
#include <optional>
#include <string>

#include "bench/cli/selection.hpp"
#include "common/model/backend.hpp"

namespace ladder::bench {

/// A rung of a backend on one problem, in one way of measuring.
struct Measurement {
  Backend* backend = nullptr;
  std::size_t rung = 0;  ///< index into backend->rungs()
  Type type = Type::f32;
  Operation operation = Operation::sum;
  std::size_t n = 0;
  GroupShape shape;  ///< of many reductions at once
  Groups groups;     ///< what it means for n; without offsets
  Tuning tuning;     ///< as resolved; zero on the axes that the rung does not have
  Data data = Data::exact;
  std::optional<Place> place;
  Cache cache = Cache::cold;
  Scope scope = Scope::kernel;

  Device& device() const { return backend->device(); }
  const RungInfo& info() const { return backend->rungs()[rung]; }
  std::size_t bytes() const { return effective_bytes(n, type); }
  /// Elements from the first to behind the last one that is read.
  std::size_t extent() const { return groups.extent(n); }
  /// Without its input and the place of its result.
  Problem problem() const { return {nullptr, n, type, operation, nullptr, groups}; }
  /// The benchmark's name:
  /// reduce/<backend>/<rung>/<type>/<op>[/shape]/n:N[/axes]/<data>[/place:P]/<cache>/<scope>.
  std::string name() const;
  /// Sixteen hex digits that stand for the name in sample records (FNV-1a, 64 bits).
  std::string id() const;
};

/// Whether two measurements share one resident input: same device, type and kind of data.
bool share_input(const Measurement& a, const Measurement& b);

/// The scope in which a device's own work is timed best: kernel where there is a timer.
inline Scope finest_scope(const Device& device) {
  return device.has_timer() ? Scope::kernel : Scope::host;
}

/// Bytes from which a claim about memory bandwidth can be made on a device: the first power of two
/// of at least 1 GiB and four last-level caches.
std::size_t memory_size(const DeviceFacts& facts);
/// Bytes from which on no cache keeps a part of an input that counts, however it was emptied.
std::size_t uncached_size(const DeviceFacts& facts);

}  // namespace ladder::bench
