#pragma once

// From a selection to every measurement that it means, known by name before anything runs: what one
// is, what shapes and files mean for it, and the whole plan.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/cli/selection.hpp"
#include "bench/text.hpp"
#include "common/check.hpp"
#include "common/device/tuned.hpp"
#include "common/model/backend.hpp"

namespace ladder::bench {

/// A rung of a backend on one problem, in one way of measuring.
struct Measurement {
  Backend* backend = nullptr;
  std::size_t rung = 0;  ///< index into backend->rungs()
  Type type = Type::f32;
  Operation operation = Operation::sum;
  std::size_t n = 0;
  GroupShape shape;                       ///< of many reductions at once
  Groups groups;                          ///< what it means for n; without offsets
  std::span<const std::int64_t> offsets;  ///< of segments, on the host; the plan keeps them
  Tuning tuning;  ///< as resolved; zero on the axes that the rung does not have
  Data data = Data::exact;
  Cache cache = Cache::cold;
  Scope scope = Scope::kernel;

  Device& device() const { return backend->device(); }
  const RungInfo& info() const { return backend->rungs()[rung]; }
  std::size_t bytes() const { return effective_bytes(n, type); }
  /// True if one planted element decides the result.
  bool plants() const { return data == Data::exact && ladder::plants(operation); }
  /// Whether its results are rounded.
  bool rounds() const { return ladder::rounds(type, operation, data); }
  /// Elements from the first to the last one that is read, gaps included.
  std::size_t extent() const { return groups.extent(n); }
  /// Without its input and the place of its result.
  Problem problem() const { return {nullptr, n, type, operation, nullptr, groups}; }
  /// "cuda r04".
  std::string who() const { return concat(backend->name(), " ", info().rung.id); }
  /// The benchmark's name:
  /// reduce/<backend>/<rung>/<type>/<op>[/shape]/n:N[/axes]/<data>[/place:random]/<cache>/<scope>.
  std::string name() const;
  /// Sixteen hex digits that stand for the name in sample records (FNV-1a, 64 bits).
  std::string id() const;
  /// "b256 g1056": the values on the rung's axes, by the axes' first letters.
  std::string tuning_text() const;
  /// "n = 2^20 (4 MiB)", after the shape if there is one.
  std::string size_text() const;
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

/// A problem's groups; where they are segments, with their offsets on the host.
struct MadeGroups {
  std::size_t n = 0;  ///< elements that are reduced
  Groups groups;      ///< without offsets
  std::vector<std::int64_t> offsets;
};

/// Groups of `n` elements, or of the shape's own number: whole rows of a matrix; segments, the last
/// of which ends with the last element. Lengths are drawn by `seed`. Throws `UsageError` where a
/// file holds no offsets from 0 on that never descend.
MadeGroups groups_of(const GroupShape& shape, std::size_t n, std::uint64_t seed);

/// Backends and ids of the rungs that are not measured as asked ("cuda r04"), by the reason.
using LeftOut = std::map<std::string, std::set<std::string>>;

/// A device's theoretical bandwidth: the vendor's, or what the user gave.
struct Peak {
  std::optional<double> gbs;
  std::string source;
};

/// An open device with the backends that run on it.
struct PlannedDevice {
  Device* device = nullptr;
  std::vector<Backend*> backends;
  Peak peak;
};

/// Made once; what runs it does not change it.
struct Plan {
  std::vector<Backend*> backends;  ///< opened
  std::vector<PlannedDevice> devices;
  std::map<Type, std::string> files;  ///< elements of --data=file:PATH, read as each type
  /// What shapes mean, by their text and n as asked.
  std::map<std::pair<std::string, std::size_t>, MadeGroups> groups;
  std::vector<Measurement> measurements;
  LeftOut left_out;
  std::vector<std::string> notes;  ///< sentences about backends that could not be opened

  const Peak& peak(const Device& device) const;
};

/// Opens the backends and crosses everything that was selected. Throws `UsageError` for what nobody
/// knows and `NotPossible` where a backend that was asked for by name cannot be opened, or none
/// can.
Plan make_plan(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends);

/// Leaves out the largest sizes until the inputs that are resident together fit.
void fit_memory(Plan& plan);

/// Thrown where a device is lost to this process for good.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bytes of `device` that inputs may take, where something `evicts` them or nothing does. Throws
/// `DeviceLost`.
std::size_t bytes_for_inputs(Device& device, bool evicts);

/// Bytes of input that the plan keeps resident on each device, by the device's name.
std::map<std::string_view, std::size_t> resident_bytes(const Plan& plan);

/// Slack behind every resident input for the guards, in elements.
inline constexpr std::size_t guard_elements = 64;

/// Reads the whole of a regular file: anything else may have no end, or block its reader forever.
/// Throws `UsageError`, which does not name it.
std::string content(const std::string& path);

/// Reads the file of --data=file:PATH: .npy (one type, C order, any shape), else raw elements of
/// `type`; at least one. Returns the bytes of the elements. Throws `UsageError` for anything but a
/// readable regular file of such content.
std::string read_data_file(const std::string& path, Type type);

/// Reads a file of choices for the tuned rung, as ./study tune writes it (docs/tuned.md has its
/// form), for a device of that name and kind ("gpu" or "cpu"). Returns nothing if it is of another
/// device. Throws `UsageError` with a sentence where it cannot be read, or is none.
std::optional<Tuned> read_tuning(const std::string& path, const std::string& device,
                                 const std::string& kind = "gpu");

/// Gives each device of the plan its choices: those of --tuning=FILE, which is refused where it is
/// of none of them; of several devices in one, whose parts take them all, it names what each is;
/// else those of $XDG_CONFIG_HOME/reduction-ladder/DEVICE.json, if it is there, DEVICE being the
/// device's name in small letters with _ for all that is no letter or digit.
void use_tuning(const Selection& selection, const Plan& plan);

}  // namespace ladder::bench
