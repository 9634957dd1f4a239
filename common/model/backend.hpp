#pragma once

// Interface between the harness and a backend (a programming model on a device). The harness uses
// this interface and no model directly; a backend implements it and never uses the harness.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/device/device.hpp"
#include "common/ladder.hpp"

namespace ladder {

/// One rung of a backend, or one entry past the ladder, as the harness sees it.
struct RungInfo {
  Rung rung;
  std::string_view why_absent;  ///< empty if the rung is available
  bool library = false;         ///< implemented by the model's own library
  bool blocks = false;          ///< host scope only
  Need need = {};               ///< requirement on the device
};

/// "9.0" for 90.
inline std::string capability_text(unsigned capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

/// "needs compute capability 9.0 (clusters)"; empty if any device will do.
inline std::string said(const Need& need) {
  if (need.capability == 0) return "";
  return "needs compute capability " + capability_text(need.capability) + " (" +
         std::string(need.what) + ")";
}

/// The unmet requirement and what the device has, as one sentence; empty if all is met. Checks the
/// code as well as the device: code for an older architecture runs on a newer device without the
/// newer features.
inline std::string lacking(const Need& need, const DeviceFacts& facts) {
  if (need.capability <= std::min(facts.capability, facts.code_capability)) return "";
  if (facts.capability == 0) return said(need) + ", this device has none";
  if (facts.capability < need.capability)
    return said(need) + ", this GPU has " + capability_text(facts.capability);
  return said(need) + ", this GPU has " + capability_text(facts.capability) +
         ", but the code for it is compiled for " + capability_text(facts.code_capability) +
         ": see CMAKE_CUDA_ARCHITECTURES";
}

/// Reason why the rung does not support this grouping; empty if it does.
inline std::string not_taken(const Rung& rung, Grouping by) {
  if (rung.takes(by)) return "";
  std::string taken;
  for (const auto one : {Grouping::whole, Grouping::rows, Grouping::columns, Grouping::segments})
    if (rung.takes(one)) taken += (taken.empty() ? "" : ", ") + std::string(name(one));
  return std::string(rung.id) + " reduces " + taken + ", not " + std::string(name(by));
}

/// MPI ranks, each on a device of its own. All run the same program with the same command. Rank 0
/// decides what is measured in which order; it alone prints and writes.
class Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  virtual bool is_first() const = 0;
  /// Returns rank 0's number on every rank. The others wait for it without a time limit.
  virtual std::uint64_t from_first(std::uint64_t number) = 0;
  /// Called by a rank that ends with an error. Returns true on rank 0 if all ranks called it, as
  /// they do for a wrong option; rank 0 then reports the error. Otherwise prints `sentence` and
  /// ends all ranks with `status`.
  virtual bool all_fail(int status, const std::string& sentence) = 0;
  /// Prints the sentence of this rank and ends all ranks.
  [[noreturn]] virtual void abort(int status, const std::string& sentence) = 0;
};

/// True if this process decides, checks, prints and writes. `ranks`: null for a single process.
inline bool leads(const Ranks* ranks) { return ranks == nullptr || ranks->is_first(); }

/// A model on a kind of device. Until `open` has succeeded only `name`, `rungs` and `carries` may
/// be called; a backend can be made on a machine without its device.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  /// The rungs in the ladder's order, then the entries past it. `rung` below is an index into it.
  virtual std::span<const RungInfo> rungs() const = 0;
  virtual bool carries(std::size_t rung, Type type, Operation operation) const = 0;

  /// Finds the device (`device` counts from 0), or shares it if another backend has it open.
  /// Returns nothing, or one sentence with the finding and the remedy. Repeated calls are free.
  virtual std::optional<std::string> open(int device) = 0;
  /// As `open`, for several devices or `every_device`; a single-device backend opens the first.
  virtual std::optional<std::string> open_on(std::span<const int> devices) {
    return open(devices.front() == every_device ? 0 : devices.front());
  }
  /// Backends on one device return the same object.
  virtual Device& device() const = 0;
  /// The processes that measure together; null for one process. May be called before `open`.
  virtual Ranks* ranks() { return nullptr; }
  /// Facts that the model adds to the device's: its version, its threads.
  virtual std::vector<Fact> facts() const { return {}; }

  /// Resolves `tuning` for this rung and problem: fills in zeros and limits the grid to the
  /// problem's need. Throws `NotPossible` if the tuning is already known to be impossible.
  virtual Tuning resolve(std::size_t rung, const Problem& problem, const Tuning& tuning) const = 0;
  /// Allocates what the run needs. Throws `NotPossible` if the pair is not carried or the tuning is
  /// impossible.
  virtual std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                                       const Tuning& tuning) = 0;
};

/// The processes that run one plan over these backends; null for one alone.
inline Ranks* ranks_of(std::span<const std::unique_ptr<Backend>> backends) {
  for (const auto& backend : backends)
    if (Ranks* const ranks = backend->ranks()) return ranks;
  return nullptr;
}

/// Every backend of this build; generated by the build.
std::vector<std::unique_ptr<Backend>> all_backends();

}  // namespace ladder
