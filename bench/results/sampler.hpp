#pragma once

// Inputs, resident where they are read, and one timed run. What lies between the two readings of
// the clock is `Job::run` and, in host scope, `Job::fetch`; all else (guards, eviction, pinning,
// the reference, the check, recording) happens before or after.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "bench/cli/selection.hpp"
#include "common/device/device.hpp"

namespace ladder::bench {

/// One buffer per device, type and kind of data, as large as the largest n; every smaller size is
/// its prefix.
class ResidentInput {
 public:
  /// Allocates and fills `n` elements, `shift` bytes (a multiple of 256) after the buffer's start.
  /// With `guarded` the guards have room after them; without, the allocation ends with the
  /// last element, and a memory checker sees a read past it. `file` has the elements, if not null.
  ResidentInput(Device& device, Type type, const Recipe& recipe, std::size_t n, std::size_t shift,
                const void* file, bool guarded);

  const std::byte* data() const { return at(0); }
  const Recipe& recipe() const { return recipe_; }

  /// For one sample of the first n elements: writes guards after them and the deciding elements at
  /// the indices `planted`.
  void guard_and_plant(std::size_t n, Operation operation, std::span<const std::size_t> planted);
  /// Writes the data again where `guard_and_plant` wrote.
  void restore(std::size_t n, std::span<const std::size_t> planted);

 private:
  std::byte* at(std::size_t i) const { return buffer_->data() + shift_ + i * facts(type_).bytes; }
  void write(std::size_t first, std::size_t count);

  Device& device_;
  Type type_;
  Recipe recipe_;
  std::size_t n_, capacity_;  ///< in elements, without and with the room for guards
  std::size_t shift_;         ///< in bytes
  const void* file_;          ///< all elements, or null
  std::unique_ptr<Buffer> buffer_;
};

struct Disarm {
  void operator()(Job* job) const { job->disarm(); }
};
/// The job's threads are where they run for as long as the pointer lives, whatever is thrown.
[[nodiscard]] inline std::unique_ptr<Job, Disarm> armed(Job& job) {
  job.arm();
  return std::unique_ptr<Job, Disarm>(&job);
}

/// Runs before the timed one that fill the caches.
inline constexpr int hot_runs = 3;

/// Seconds of one run in the given state and scope, as the mean of `calls` in a row: in host scope
/// each is fetched, in a chain the last alone. The result has been fetched when it returns.
/// Nothing where the hold gave up before all was enqueued: such a time includes waiting for
/// the host and means nothing. `profiled`: nothing is held, nor run before it, so that a profiler
/// sees the rung alone.
std::optional<double> time_run(Device& device, Job& job, Cache cache, Scope scope,
                               unsigned calls = 1, bool profiled = false);

/// How many calls in a row a sample is: 1, but hot on a CPU as many as last 20 µs, since less than
/// that drowns in the two readings of the clock; and of a chain as many as last 200 µs, from 20 to
/// 100, as many as a stream takes without its host having to wait.
unsigned calls_of_a_sample(Device& device, Job& job, Cache cache, Scope scope);

}  // namespace ladder::bench
