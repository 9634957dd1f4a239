#pragma once

// From a selection to every measurement that it means, known by name before anything runs.

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/plan/groups_of.hpp"
#include "bench/plan/measurement.hpp"

namespace ladder::bench {

/// Something that was asked for and is not measured.
struct Skipped {
  std::string what, reason;
};

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
  /// What shapes mean, by their text and n, with the offsets of segments on the host.
  std::map<std::pair<std::string, std::size_t>, MadeGroups> groups;
  std::vector<Measurement> measurements;
  std::vector<Skipped> skipped;
  std::vector<std::string> notes;    ///< sentences about backends that could not be opened
  std::vector<std::string> ignored;  ///< sentences about options that nothing here takes

  const Peak& peak(const Device& device) const;
};

/// Opens the backends and crosses everything that was selected. Throws `UsageError` for what nobody
/// knows and `NotPossible` where a backend that was asked for by name cannot be opened, or none
/// can.
Plan make_plan(const Selection& selection, std::span<const std::unique_ptr<Backend>> backends);

/// Finds out which of the options that were given mean nothing to any measurement of the plan.
void find_ignored(const Selection& selection, Plan& plan);

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

}  // namespace ladder::bench
