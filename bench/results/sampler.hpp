#pragma once

// Resident inputs, and one timed run. Only `Job::run` and, in host scope, `Job::fetch` are timed;
// everything else (guards, eviction, pinning, reference, check, recording) happens before or after.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "bench/cli/selection.hpp"
#include "common/device/device.hpp"

namespace ladder::bench {

/// One buffer per device, type and kind of data, sized for the largest n; smaller sizes are
/// prefixes of it.
class ResidentInput {
 public:
  /// Allocates and fills `n` elements, `shift` bytes (a multiple of 256) after the buffer's start.
  /// `guarded` adds room for guards; otherwise the allocation ends with the last element, so a
  /// memory checker detects reads past it. `file` holds the elements if not null.
  ResidentInput(Device& device, Type type, const Recipe& recipe, std::size_t n, std::size_t shift,
                const void* file, bool guarded);

  const std::byte* data() const { return at(0); }
  const Recipe& recipe() const { return recipe_; }

  /// Prepares a sample of the first n elements: writes guards after them and the planted elements
  /// at the indices `planted`.
  void guard_and_plant(std::size_t n, Operation operation, std::span<const std::size_t> planted);
  /// Restores the data that `guard_and_plant` overwrote.
  void restore(std::size_t n, std::span<const std::size_t> planted);

 private:
  std::byte* at(std::size_t i) const { return buffer_->data() + shift_ + i * facts(type_).bytes; }
  void write(std::size_t first, std::size_t count);

  Device& device_;
  Type type_;
  Recipe recipe_;
  std::size_t n_, capacity_;  ///< elements without and with guards
  std::size_t shift_;         ///< in bytes
  const void* file_;          ///< all elements, or null
  std::unique_ptr<Buffer> buffer_;
};

struct Disarm {
  void operator()(Job* job) const { job->disarm(); }
};
/// Pins the job's threads for the lifetime of the returned pointer, also on exceptions.
[[nodiscard]] inline std::unique_ptr<Job, Disarm> armed(Job& job) {
  job.arm();
  return std::unique_ptr<Job, Disarm>(&job);
}

/// Seconds per run in the given cache state and scope: the mean of `calls` consecutive calls. Host
/// scope fetches each result, a chain only the last; on return the result is fetched. Returns
/// nullopt if the hold timed out before all work was enqueued: the time would include waiting for
/// the host. `profiled`: no hold and no warm-up, so that a profiler sees only the rung.
std::optional<double> time_run(Device& device, Job& job, Cache cache, Scope scope,
                               unsigned calls = 1, bool profiled = false);

/// Number of consecutive calls per sample: 1 by default. Hot on a CPU in host scope: enough for 20
/// µs, since clock overhead dominates shorter times. In a chain: enough for 200 µs, 20 to 100
/// calls, which a stream accepts without blocking the host.
unsigned calls_of_a_sample(Device& device, Job& job, Cache cache, Scope scope);

}  // namespace ladder::bench
