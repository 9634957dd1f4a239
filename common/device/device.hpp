#pragma once

// Device interface of the harness and the models: one memory space, and everything about it that is
// independent of the programming model. All models on a device share one object, and so its facts,
// stream, cold state, ceiling and clock.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "common/accounting.hpp"
#include "common/data.hpp"
#include "common/device/tuned.hpp"
#include "common/problem.hpp"
#include "common/value.hpp"

namespace ladder {

/// A property of a machine, and its source.
struct Fact {
  std::string name, value, source;
};

/// Stands for all devices that this process sees, where a device number is expected.
inline constexpr int every_device = -1;

struct DeviceFacts {
  std::string name;  ///< "NVIDIA H200"
  std::string kind;  ///< "gpu" or "cpu"
  std::string part;  ///< the allotted part of the machine, in words; empty: all of it
  /// Identity within a device name: a GPU's UUID, a host's `machine_id`; empty if unknown.
  std::string id;
  std::optional<double> peak_gbs;  ///< theoretical bandwidth in GB/s (10^9 bytes); empty if unknown
  std::string peak_source;         ///< source of `peak_gbs`, or why it is unknown
  std::size_t last_level_cache = 0;  ///< bytes
  std::size_t memory_bytes = 0;
  std::string each;          ///< several devices as one: their common name; empty if names differ
  int seen = 1;              ///< devices of this kind that this process sees
  unsigned units = 0;        ///< SMs, compute units, or usable CPU cores
  unsigned max_workers = 0;  ///< CPU: usable hardware threads; 0 on a GPU
  unsigned lanes = 1;        ///< GPU: threads scheduled together (warp or wavefront)
  unsigned capability = 0;   ///< NVIDIA: compute capability, major * 10 + minor; 0 elsewhere
  unsigned code_capability = 0;  ///< NVIDIA: compute capability of this build's code for it
  bool bulk_copies = false;      ///< GPU: one thread can start copies of kilobytes (TMA)
  std::size_t max_grid = 0;      ///< GPU: maximum blocks of a grid along x
  std::size_t max_grid_threads = ~std::size_t{0};  ///< GPU: maximum threads of a grid
  std::vector<Fact> more;
};

/// Memory, freed with its owner.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  virtual ~Buffer() = default;
  virtual std::byte* data() = 0;
  virtual std::size_t bytes() const = 0;
};

/// Thrown if a request of the user cannot be met, with a sentence for the user.
class NotPossible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Method of emptying the caches: ordinary reads of `bytes` bytes.
struct Eviction {
  std::size_t bytes = 0;
  unsigned workers = 0;  ///< CPU: pinned threads that read; 0 on a GPU
  bool capped = false;   ///< true if less than four times the last-level cache
};

/// Measurement overhead: empty clock pair, launch or call.
enum class Floor : std::uint8_t {
  clock,   ///< two readings of the clock with nothing between them
  launch,  ///< smallest launch: an empty kernel, an empty parallel region
  call     ///< one of many consecutive calls that do nothing, if a sample is such a series
};
constexpr std::string_view name(Floor floor) {
  return floor == Floor::clock ? "clock" : floor == Floor::launch ? "launch" : "call";
}

/// Energy counter of a device, and the clock that times its readings.
class EnergyCounter {
 public:
  EnergyCounter() = default;
  EnergyCounter(const EnergyCounter&) = delete;
  EnergyCounter& operator=(const EnergyCounter&) = delete;
  virtual ~EnergyCounter() = default;

  /// Joules since a moment that is fixed for this object's lifetime; never decreases. Constant
  /// between updates of the counter. Throws if the counter can no longer be read.
  virtual double joules() = 0;
  /// The source and its scope: "nvmlDeviceGetTotalEnergyConsumption: the whole board".
  virtual std::string source() const = 0;

  /// Seconds on the steady clock that times the readings.
  virtual double now() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  }
  /// Waits about `seconds` seconds.
  virtual void wait(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
};

/// Byte that `Job::spoil` writes. In no type is it the result of exact data, except for an xor of
/// int8, which can be anything. (0xFF would be the integer -1.)
inline constexpr int spoiled_byte = 0x5A;

/// A unit of timed work with all its memory allocated: a rung bound to a problem and a tuning, or a
/// kernel of the device itself. It can run any number of times.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  /// Prepares a sample, untimed: for example, pins threads.
  virtual void arm() {}
  /// Untimed, before `runs` consecutive runs: synchronizes all processes that take part.
  virtual void line_up([[maybe_unused]] unsigned runs) {}
  /// The timed part: enqueues everything, or completes it if the rung blocks.
  virtual void run() = 0;
  /// Copies the result to the host and waits for it; part of host scope. Does nothing if the rung
  /// blocks.
  virtual void fetch() {}
  /// Untimed, after the runs announced by `line_up`: the longest time of any process, in seconds.
  /// `own` is the caller's time.
  virtual double longest(double own) { return own; }
  /// Untimed, after each sample: undoes `arm`.
  virtual void disarm() {}
  /// The fetched result.
  virtual Value result() const = 0;
  /// Fetched results of a problem with groups: consecutive accumulators, and one spare that only
  /// `spoil` writes. Empty without groups.
  virtual std::span<const std::byte> results() const { return {}; }
  /// Overwrites the result, untimed, so that a run that writes nothing cannot return the previous
  /// result.
  virtual void spoil() = 0;
  virtual const Footprint& footprint() const = 0;
  /// The resolved tuning: no zero on an axis that the rung has.
  virtual Tuning tuning() const { return {}; }
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  /// The memory space: "cuda:0", "hip:0", "host".
  virtual std::string_view name() const = 0;
  virtual const DeviceFacts& facts() const = 0;
  /// Makes this the calling thread's device. If a process opens several devices, call it before
  /// anything else; without it, the device opened last is current.
  virtual void select() {}
  /// Current clocks, temperature and throttle reasons; empty if none are reported.
  virtual std::vector<Fact> conditions() { return {}; }
  /// Disturbances since the last call, in words: a lowered clock, a CPU taken away. Empty if there
  /// are none or none are reported. Called after each sample, outside the timed part.
  virtual std::string disturbance() { return {}; }
  /// Counter of the device's energy. Throws `NotPossible` with a sentence if there is none or it
  /// may not be read.
  virtual std::unique_ptr<EnergyCounter> energy_counter() {
    throw NotPossible("no counter of its energy is known");
  }

  /// Choices for the tuned rung on this device; if no line matches, the rung's own rule holds.
  const Tuned& tuned() const { return tuned_; }
  virtual void use(Tuned tuned) { tuned_ = std::move(tuned); }

  virtual std::size_t free_bytes() = 0;
  /// Returns memory aligned to 256 bytes or more. Throws `NotPossible` if there is not enough.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;
  /// Host memory with one address for host and device and the fastest copies: page-locked where
  /// that applies. Aligned to 128 bytes or more.
  virtual std::unique_ptr<Buffer> allocate_pinned(std::size_t bytes) = 0;
  /// Writes elements `first` to `first + count - 1` of the recipe's data to `destination`, on the
  /// device that will read them. `fill`, `upload` and `download` return when they are complete.
  /// Throws `NotPossible` for data from a file, which cannot be generated.
  virtual void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
                    std::size_t count) = 0;
  virtual void upload(void* destination, const void* source, std::size_t bytes) = 0;
  virtual void download(void* destination, const void* source, std::size_t bytes) = 0;
  /// Enqueues setting `bytes` bytes to `byte`.
  virtual void enqueue_set(void* destination, int byte, std::size_t bytes) = 0;
  /// Enqueues a copy of `bytes` bytes of pinned memory, which must stay valid until completion.
  virtual void enqueue_upload(void* destination, const void* pinned, std::size_t bytes) = 0;

  /// Configurations of the read-only sweep, and a job that reads `bytes` bytes (a multiple of 16)
  /// in one of them.
  virtual std::vector<std::string> ceiling_configurations() const = 0;
  virtual std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                                       std::size_t bytes) = 0;
  virtual std::unique_ptr<Job> floor(Floor which) = 0;

  /// Evicts the input and all dirty lines by ordinary reads of four times the last-level cache, or
  /// less if capped. `eviction` returns the amount.
  virtual void evict() = 0;
  virtual Eviction eviction() const = 0;

  /// True if kernel scope exists. Only then may the functions below be called.
  virtual bool has_timer() const { return false; }
  /// Blocks the stream until `release`.
  virtual void hold() {}
  virtual void mark_start() {}
  virtual void mark_stop() {}
  /// Unblocks the stream without waiting, so that several devices start together. `release` must
  /// follow.
  virtual void let_go() noexcept {}
  /// Unblocks the stream and waits for it. False if the hold timed out before: then the time is
  /// meaningless.
  virtual bool release() { return true; }
  /// Several devices as one: seconds on the host's clock from before `release` unblocked the first
  /// device until it had unblocked the last. Empty for one device.
  virtual std::optional<double> release_skew() const { return std::nullopt; }
  /// Seconds between the marks; call it after `release`.
  virtual double elapsed() { return 0; }

  /// Native handle of the stream that all models on this device share; null on a host.
  virtual void* stream() const { return nullptr; }
  /// Waits for all enqueued work; throws its errors.
  virtual void synchronize() {}
  /// Clears an error so that the next measurement can run. Returns a sentence if the device is lost
  /// for good.
  virtual std::optional<std::string> recover() { return std::nullopt; }

 private:
  Tuned tuned_;
};

}  // namespace ladder
