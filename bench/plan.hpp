#pragma once

// From a selection to every measurement that it means, known by name before anything runs.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/data_file.hpp"
#include "bench/selection.hpp"
#include "common/backend.hpp"

namespace ladder::bench {

/// One cell of the study: a rung of a backend on one problem, in one way of measuring.
struct Measurement {
  Backend* backend = nullptr;
  std::size_t rung = 0;  ///< index into backend->rungs()
  Type type = Type::f32;
  Operation operation = Operation::sum;
  std::size_t n = 0;
  Tuning tuning;  ///< as resolved; zero on the axes that the rung does not have
  Data data = Data::exact;
  std::optional<Place> place;
  Cache cache = Cache::cold;
  Scope scope = Scope::kernel;

  const RungInfo& info() const { return backend->rungs()[rung]; }
  std::size_t bytes() const { return effective_bytes(n, type); }
  /// The benchmark's name:
  /// reduce/<backend>/<rung>/<type>/<op>/n:N[/axes]/<data>[/place:P]/<cache>/<scope>.
  std::string name() const;
  /// Sixteen hex digits that stand for the name in sample records (FNV-1a, 64 bits).
  std::string id() const;
};

/// Something that was asked for and is not measured.
struct Skipped {
  std::string what, reason;
};

/// A device's theoretical bandwidth: the vendor's, or what the user gave.
struct Peak {
  std::optional<double> gbs;
  std::string source;
};

struct Plan {
  std::vector<Backend*> backends;  ///< opened
  std::vector<Peak> peaks;         ///< of each backend
  std::map<Type, std::shared_ptr<const DataFile>>
      files;  ///< with --data=file:PATH, read as each type
  std::vector<Measurement> measurements;
  std::vector<Skipped> skipped;
  std::vector<std::string> notes;  ///< sentences about backends that could not be opened

  const Peak& peak(const Backend* backend) const {
    return peaks[static_cast<std::size_t>(std::ranges::find(backends, backend) - backends.begin())];
  }
};

/// Opens the backends and crosses everything that was selected. Throws `UsageError` for what nobody
/// knows and `NotPossible` where a backend that was asked for by name cannot be opened, or none
/// can.
Plan make_plan(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends);

/// Bytes of input that the plan keeps resident in each memory space, by its name.
std::vector<std::pair<std::string, std::size_t>> resident_bytes(const Plan& plan);

/// Measurements that share one resident buffer: same memory space, type and kind of data.
bool share_input(const Measurement& a, const Measurement& b);

/// Slack behind every resident buffer for the guards, in elements.
inline constexpr std::size_t guard_elements = 64;

/// Bytes from which a claim about memory bandwidth can be made on a device.
std::size_t memory_size(const DeviceFacts& facts);

}  // namespace ladder::bench
