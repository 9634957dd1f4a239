#pragma once

// What the harness asks of a backend: a programming model on a device. The harness drives this
// interface and knows no model; a backend implements it and knows no harness.

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
  std::string_view why_absent;  ///< empty where it can be run
  bool library = false;         ///< what the model's own library gives
  bool blocks = false;          ///< host scope only
  Need need = {};               ///< what it asks of its device
};

/// "9.0" for 90.
inline std::string capability_text(unsigned capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

/// "needs compute capability 9.0 (clusters)", or nothing where any device will do.
inline std::string said(const Need& need) {
  if (need.capability == 0) return "";
  return "needs compute capability " + capability_text(need.capability) + " (" +
         std::string(need.what) + ")";
}

/// What is needed and what is there instead, as one sentence; nothing where nothing is lacking. The
/// code counts as well as the device: an older architecture's code runs on a newer device, and has
/// none of this in it.
inline std::string lacking(const Need& need, const DeviceFacts& facts) {
  if (need.capability <= std::min(facts.capability, facts.code_capability)) return "";
  if (facts.capability == 0) return said(need) + ", this device has none";
  if (facts.capability < need.capability)
    return said(need) + ", this GPU has " + capability_text(facts.capability);
  return said(need) + ", this GPU has " + capability_text(facts.capability) +
         ", but the code for it is compiled for " + capability_text(facts.code_capability) +
         ": see CMAKE_CUDA_ARCHITECTURES";
}

/// Why a rung makes no results of this kind; nothing where it does.
inline std::string not_taken(const Rung& rung, Grouping by) {
  if (rung.takes(by)) return "";
  std::string taken;
  for (const auto one : {Grouping::whole, Grouping::rows, Grouping::columns, Grouping::segments})
    if (rung.takes(one)) taken += (taken.empty() ? "" : ", ") + std::string(name(one));
  return std::string(rung.id) + " reduces " + taken + ", not " + std::string(name(by));
}

/// The ranks of an MPI, each on a device of its own. Each runs the same program with the same
/// command; rank 0 decides what is measured in which order, and it alone prints and writes.
class Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  virtual bool is_first() const = 0;
  /// Returns rank 0's number on every rank. The others wait for it as long as rank 0 takes.
  virtual std::uint64_t from_first(std::uint64_t number) = 0;
  /// Called by a rank that ends with an error. Returns true on rank 0 if all ranks came here, as
  /// they do for a wrong option: then rank 0 says it. If they did not, prints the sentence and ends
  /// all ranks with this status.
  virtual bool all_fail(int status, const std::string& sentence) = 0;
  /// Prints the sentence of this rank and ends all ranks.
  [[noreturn]] virtual void abort(int status, const std::string& sentence) = 0;
};

/// Whether this process decides, checks, prints and writes. `ranks`: null for one process alone.
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
  /// The rungs in the ladder's order, then the entries past it. An index into it names a rung
  /// below.
  virtual std::span<const RungInfo> rungs() const = 0;
  virtual bool carries(std::size_t rung, Type type, Operation operation) const = 0;

  /// Finds the device (`device` counts from 0), or shares it where another backend has it open.
  /// Returns nothing, or one sentence that says what was found and what to do. Calling it again is
  /// free.
  virtual std::optional<std::string> open(int device) = 0;
  /// As `open`, where the user named several devices, or `every_device`: a backend on one takes the
  /// first.
  virtual std::optional<std::string> open_on(std::span<const int> devices) {
    return open(devices.front() == every_device ? 0 : devices.front());
  }
  /// Backends on one device give the same object.
  virtual Device& device() const = 0;
  /// The processes that measure it together; null for one process. May be called before `open`.
  virtual Ranks* ranks() { return nullptr; }
  /// What the model itself adds to the device's facts: its version, its threads.
  virtual std::vector<Fact> facts() const { return {}; }

  /// What `tuning` becomes for this rung and problem: zeros filled in, the grid no larger than the
  /// problem needs. Throws `NotPossible` where it is known already that it cannot be had.
  virtual Tuning resolve(std::size_t rung, const Problem& problem, const Tuning& tuning) const = 0;
  /// Throws `NotPossible` where the pair is not carried or the tuning cannot be had. Allocates what
  /// the run needs.
  virtual std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                                       const Tuning& tuning) = 0;
};

/// The processes that carry out one plan over these backends; null for one alone.
inline Ranks* ranks_of(std::span<const std::unique_ptr<Backend>> backends) {
  for (const auto& backend : backends)
    if (Ranks* const ranks = backend->ranks()) return ranks;
  return nullptr;
}

/// Every backend of this build; generated by the build.
std::vector<std::unique_ptr<Backend>> all_backends();

}  // namespace ladder
