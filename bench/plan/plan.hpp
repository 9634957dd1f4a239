#pragma once

// Expands a selection into a plan: all measurements, named before anything runs, with their shapes
// and input files.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cli/selection.hpp"
#include "bench/text.hpp"
#include "common/check.hpp"
#include "common/device/tuned.hpp"
#include "common/model/backend.hpp"

namespace ladder::bench {

/// A rung of a backend on one problem, measured in one scope and cache state.
struct Measurement {
  Backend* backend = nullptr;
  std::size_t rung = 0;  ///< index into backend->rungs()
  Type type = Type::f32;
  Operation operation = Operation::sum;
  std::size_t n = 0;
  GroupShape shape;                       ///< shape of a batch of reductions
  Groups groups;                          ///< groups of the shape for n; without offsets
  std::span<const std::int64_t> offsets;  ///< segment offsets on the host; owned by the plan
  Tuning tuning;                          ///< resolved; zero on axes the rung does not have
  Data data = Data::exact;
  Cache cache = Cache::cold;
  Scope scope = Scope::kernel;

  Device& device() const { return backend->device(); }
  const RungInfo& info() const { return backend->rungs()[rung]; }
  std::size_t bytes() const { return effective_bytes(n, type); }
  /// True if a single planted element determines the result.
  bool plants() const { return data == Data::exact && ladder::plants(operation); }
  /// True if results are rounded.
  bool rounds() const { return ladder::rounds(type, operation, data); }
  /// Elements from the first to the last element read, gaps included.
  std::size_t extent() const { return groups.extent(n); }
  std::size_t extent_bytes() const { return effective_bytes(extent(), type); }
  /// The problem without input and result pointers.
  Problem problem() const { return {nullptr, n, type, operation, nullptr, groups}; }
  /// "cuda r04".
  std::string who() const { return concat(backend->name(), " ", info().rung.id); }
  /// The benchmark's name:
  /// reduce/<backend>/<rung>/<type>/<op>[/shape]/n:N[/axes]/<data>[/place:random]/<cache>/<scope>.
  std::string name() const;
  /// Hash of the name in sample records: 16 hex digits (FNV-1a, 64 bits).
  std::string id() const;
  /// Values on the rung's axes with the axes' first letters: "b256 g1056".
  std::string tuning_text() const;
  /// "n = 2^20 (4 MiB)", after the shape if there is one.
  std::string size_text() const;
};

/// True if two measurements share one resident input: device, type, data; exact: operation too.
bool share_input(const Measurement& a, const Measurement& b);

/// The most precise scope of a device: kernel if it has a timer, otherwise host.
inline Scope finest_scope(const Device& device) {
  return device.has_timer() ? Scope::kernel : Scope::host;
}

/// Smallest input in bytes for claims about memory bandwidth on a device: the first power of two ≥
/// 1 GiB and ≥ 4 last-level caches.
std::size_t memory_size(const DeviceFacts& facts);
/// Smallest input in bytes that no cache holds to a relevant part, however it was evicted.
std::size_t uncached_size(const DeviceFacts& facts);

/// Groups of a problem; for segments with their offsets on the host.
struct MadeGroups {
  std::size_t n = 0;  ///< number of elements reduced
  Groups groups;      ///< without offsets
  std::vector<std::int64_t> offsets;
};

/// Makes the groups of `n` elements, or of the shape's own size: whole rows of a matrix, or
/// segments that cover all elements. `seed` drives the lengths. Throws `UsageError` if a file's
/// offsets do not start at 0 or ever decrease, and `NotPossible` if there is no whole row or
/// segment, or if there are too many segments or elements.
MadeGroups groups_of(const GroupShape& shape, std::size_t n, std::uint64_t seed);

/// Omitted rungs as "backend id" ("cuda r04"), by reason.
using LeftOut = std::map<std::string, std::set<std::string>>;

/// Theoretical bandwidth of a device, from the vendor or the user.
struct Peak {
  std::optional<double> gbs;
  std::string source;
};

/// An open device and the backends that use it.
struct PlannedDevice {
  Device* device = nullptr;
  std::vector<Backend*> backends;
  Peak peak;
};

/// Immutable after make_plan().
struct Plan {
  std::vector<Backend*> backends;  ///< opened
  std::vector<PlannedDevice> devices;
  std::map<Type, std::string> files;  ///< contents of --data=file:PATH for each type
  /// Groups of each shape, by the shape's text and the requested n.
  std::map<std::pair<std::string, std::size_t>, MadeGroups> groups;
  std::vector<Measurement> measurements;
  LeftOut left_out;
  std::vector<std::string> notes;  ///< why backends could not be opened

  const Peak& peak(const Device& device) const;
};

/// Opens the backends and expands the selection. Throws `UsageError` for unknown names. Throws
/// `NotPossible` if a backend named by the user, or every backend, cannot be opened.
Plan make_plan(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends);

/// Opens the backends that the selection asks for, and adds them, their devices and notes to the
/// plan. Throws as `make_plan`.
void open_backends(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends,
                   Plan& plan);

/// Drops the largest sizes until the inputs of all measurements fit in memory together.
void fit_memory(Plan& plan);

/// Thrown if a device is permanently lost to this process.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bytes of `device` available for inputs; `evicts`: an eviction buffer is reserved. Throws
/// `DeviceLost`.
std::size_t bytes_for_inputs(Device& device, bool evicts);

/// Bytes of resident input per device name.
std::map<std::string_view, std::size_t> resident_bytes(const Plan& plan);

/// Elements reserved after every resident input for guards.
inline constexpr std::size_t guard_elements = 64;

/// Reads a whole regular file; other files may be endless or block forever. Throws `UsageError`
/// without the path.
std::string content(const std::string& path);

/// Reads the file of --data=file:PATH: .npy (one type, C order, any shape) or raw elements of
/// `type`. Returns the bytes of at least one element. Throws `UsageError` if the file is unreadable
/// or not of that form; it names `option`, which the path follows.
std::string read_data_file(const std::string& path, Type type,
                           std::string_view option = "--data=file:");

/// Reads the tuning file that ./study tune wrote (format: docs/tuned.md) for a device of that name
/// and kind ("gpu" or "cpu"). Returns nullopt if the file is for another device. Throws
/// `UsageError` if it is unreadable or malformed.
std::optional<Tuned> read_tuning(const std::string& path, const std::string& device,
                                 const std::string& kind = "gpu");

/// Loads the tuned configuration of each device. --tuning=FILE must match a device, else
/// `UsageError`; it is applied to all matching ones. A multi-device group matches by the name of
/// its members. Default file: $XDG_CONFIG_HOME/reduction-ladder/DEVICE.json if it exists, DEVICE
/// being the lower-case device name with _ for all other characters than letters and digits.
void use_tuning(const Selection& selection, const Plan& plan);

}  // namespace ladder::bench
