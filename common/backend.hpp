#pragma once

// What the harness asks of a programming model. The harness drives this interface and knows no
// model; a backend implements it and knows no harness.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/accounting.hpp"
#include "common/data.hpp"
#include "common/ladder.hpp"
#include "common/value.hpp"

namespace ladder {

/// Something found out about a machine, and where it was found.
struct Fact {
  std::string name, value, source;
};

struct DeviceFacts {
  std::string name;  ///< "NVIDIA H200"
  std::string kind;  ///< "gpu" or "cpu"
  std::optional<double>
      peak_gbs;             ///< theoretical bandwidth in GB/s (10^9 bytes); nothing where unknown
  std::string peak_source;  ///< how it is known, or why it is not
  std::size_t last_level_cache = 0;  ///< bytes
  std::size_t memory_bytes = 0;
  unsigned units = 0;        ///< multiprocessors, or CPU cores that may be used
  unsigned max_workers = 0;  ///< CPU: hardware threads that may be used; 0 on a GPU
  std::vector<Fact> more;
};

/// One rung of a backend, or one entry past the ladder, as the harness sees it.
struct RungInfo {
  Rung rung;
  std::string_view why_absent;  ///< empty where it can be run
  bool library = false;         ///< what the model's own library gives
  bool blocks = false;          ///< host scope only
};

/// A rung bound to a problem and a tuning, its scratch allocated: ready to be run any number of
/// times.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  /// Untimed, before each sample: whatever the run stands on (threads pinned where they will run).
  virtual void arm() {}
  /// What is timed: enqueues everything, or carries it out where the rung blocks.
  virtual void run() = 0;
  /// Brings the result to where the host reads it and waits for it; part of host scope. Nothing
  /// where the rung blocks.
  virtual void fetch() {}
  /// Untimed, after each sample: undoes `arm`.
  virtual void disarm() {}
  /// The fetched result.
  virtual Value result() const = 0;
  /// Overwrites the place of the result, untimed, so that a run which writes nothing cannot pass on
  /// its predecessor's.
  virtual void spoil() = 0;
  virtual const Footprint& footprint() const = 0;
  /// The tuning as resolved: no zero on an axis that the rung has.
  virtual Tuning tuning() const { return {}; }
};

/// Device memory, freed with its owner.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  virtual ~Buffer() = default;
  virtual std::byte* data() = 0;
  virtual std::size_t bytes() const = 0;
};

/// Thrown for what the user asked for and cannot have, with a sentence for him.
class NotPossible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One programming model on one kind of device. Until `open` has succeeded only `name`, `rungs` and
/// `carries` may be called; a backend can be made on a machine without its device.
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

  /// Finds the device (`device` counts from 0) and makes the queue. Returns nothing, or one
  /// sentence that says what was found and what to do. Calling it again is free.
  virtual std::optional<std::string> open(int device) = 0;
  virtual const DeviceFacts& facts() const = 0;
  /// Clocks, temperature, throttle reasons now; empty where the vendor's library does not tell.
  virtual std::vector<Fact> conditions() { return {}; }

  /// Backends that name the same space share its buffers and its ceiling.
  virtual std::string memory_space() const = 0;
  virtual std::size_t free_bytes() = 0;
  /// Throws `NotPossible` where there is not enough. Aligned to 256 bytes or more.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;
  /// Writes elements `first` to `first + count - 1` of the recipe's data to `destination`, where it
  /// will be read.
  virtual void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
                    std::size_t count) = 0;
  virtual void upload(void* destination, const void* source, std::size_t bytes) = 0;

  /// What `tuning` becomes for this rung and problem: zeros filled in, the grid no larger than the
  /// problem needs.
  virtual Tuning resolve(std::size_t rung, const Problem& problem, const Tuning& tuning) const = 0;
  /// Throws `NotPossible` where the pair is not carried or the tuning cannot be had. Allocates what
  /// the run needs.
  virtual std::unique_ptr<Job> prepare(std::size_t rung, const Problem& problem,
                                       const Tuning& tuning) = 0;

  /// The read-only sweep: what each configuration is, and the reading of `bytes` bytes (a multiple
  /// of 16) in it.
  virtual std::vector<std::string> ceiling_configurations() const = 0;
  virtual std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                                       std::size_t bytes) = 0;
  /// What a measurement costs that measures nothing: an empty kernel, an empty pair of events.
  virtual std::vector<std::string> floors() const = 0;
  virtual std::unique_ptr<Job> floor(std::size_t which) = 0;

  /// Reads at least four times the last-level cache by ordinary reads, so that nothing of the input
  /// and no dirty line is left in it. `eviction` says it in words, for the record, and
  /// `evicted_bytes` how much is read.
  virtual void evict() = 0;
  virtual std::string eviction() const = 0;
  virtual std::size_t evicted_bytes() const = 0;

  /// Whether kernel scope exists. What follows is called only then.
  virtual bool has_device_timer() const { return false; }
  /// Makes the queue wait until `release`.
  virtual void hold() {}
  virtual void mark_start() {}
  virtual void mark_stop() {}
  /// Lets the queue go and waits for it. False where the hold had given up before: then the time
  /// means nothing.
  virtual bool release() { return true; }
  /// Seconds between the marks, after `release`.
  virtual double elapsed() { return 0; }

  /// Waits for all that was enqueued; throws what went wrong in it.
  virtual void synchronize() {}
  /// Clears an error, so that the next measurement can run. Returns a sentence where the device is
  /// lost for good.
  virtual std::optional<std::string> recover() { return std::nullopt; }
};

/// Every backend of this build; generated by the build.
std::vector<std::unique_ptr<Backend>> all_backends();

}  // namespace ladder
