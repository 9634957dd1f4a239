#pragma once

// What the harness and the models ask of a device: one memory space, with everything about it that
// is not a programming model. All models on a device share the one object, and so its facts, its
// stream, its cold state, its ceiling and its clock.

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

/// Something found out about a machine, and where it was found.
struct Fact {
  std::string name, value, source;
};

/// In place of the numbers of devices: all that this process sees.
inline constexpr int every_device = -1;

struct DeviceFacts {
  std::string name;  ///< "NVIDIA H200"
  std::string kind;  ///< "gpu" or "cpu"
  std::string part;  ///< which part of the machine was given, in words; empty: all of it
  /// Which one of its name: a GPU's UUID, a host's `machine_id`; empty where nothing tells.
  std::string id;
  std::optional<double>
      peak_gbs;             ///< theoretical bandwidth in GB/s (10^9 bytes); nothing where unknown
  std::string peak_source;  ///< how it is known, or why it is not
  std::size_t last_level_cache = 0;  ///< bytes
  std::size_t memory_bytes = 0;
  std::string each;    ///< several as one: the name that each of them has; empty where they differ
  int seen = 1;        ///< devices of its kind that this process sees
  unsigned units = 0;  ///< SMs, compute units, or CPU cores that may be used
  unsigned max_workers = 0;      ///< CPU: hardware threads that may be used; 0 on a GPU
  unsigned lanes = 1;            ///< GPU: threads that are scheduled together, a warp or wavefront
  unsigned capability = 0;       ///< NVIDIA: compute capability, major * 10 + minor; 0 elsewhere
  unsigned code_capability = 0;  ///< NVIDIA: the one that this build's code for it was compiled for
  bool bulk_copies = false;      ///< GPU: copies of kilobytes that one thread starts (TMA)
  std::size_t max_grid = 0;      ///< GPU: blocks that a grid can have along x
  std::size_t max_grid_threads = ~std::size_t{0};  ///< GPU: threads that all its blocks can have
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

/// Thrown for what the user asked for and cannot have, with a sentence for the user.
class NotPossible : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How a device's caches are emptied: by ordinary reads of `bytes` bytes.
struct Eviction {
  std::size_t bytes = 0;
  unsigned workers = 0;  ///< CPU: pinned threads that read; 0 on a GPU
  bool capped = false;   ///< fewer bytes than four times the last-level cache
};

/// What a measurement costs that measures nothing.
enum class Floor : std::uint8_t {
  clock,   ///< two readings of the clock with nothing between them
  launch,  ///< the least that can be launched: an empty kernel, an empty parallel region
  call     ///< one of many calls in a row of what does nothing, where a sample is that
};
constexpr std::string_view name(Floor floor) {
  return floor == Floor::clock ? "clock" : floor == Floor::launch ? "launch" : "call";
}

/// A device's energy counter: what it has taken so far, and the clock that goes with it.
class EnergyCounter {
 public:
  EnergyCounter() = default;
  EnergyCounter(const EnergyCounter&) = delete;
  EnergyCounter& operator=(const EnergyCounter&) = delete;
  virtual ~EnergyCounter() = default;

  /// Joules taken since a moment that does not change while this lives; never less than before.
  /// Between two of its changes a counter says the same. Throws where it cannot be read any more.
  virtual double joules() = 0;
  /// What is read, and what it counts: "nvmlDeviceGetTotalEnergyConsumption: the whole board".
  virtual std::string source() const = 0;

  /// Seconds by the clock that readings are timed with: a steady one.
  virtual double now() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  }
  /// Lets about so many seconds go by.
  virtual void wait(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
};

/// What `Job::spoil` writes: in no type the result of exact data, but for an xor of int8, which can
/// be anything. (0xFF would be the integer -1.)
inline constexpr int spoiled_byte = 0x5A;

/// Something that can be timed, all that it needs allocated: a rung bound to a problem and a
/// tuning, or one of a device's own kernels. It can be run any number of times.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  /// Untimed, before each sample: whatever the run needs (threads pinned where they will run).
  virtual void arm() {}
  /// Untimed, before `runs` runs in a row: where several processes take part, brings them all to
  /// the start.
  virtual void line_up([[maybe_unused]] unsigned runs) {}
  /// What is timed: enqueues everything, or carries it out where the rung blocks.
  virtual void run() = 0;
  /// Brings the result to where the host reads it and waits for it; part of host scope. Nothing
  /// where the rung blocks.
  virtual void fetch() {}
  /// Untimed, after the runs that `line_up` announced: the seconds of whoever took longest, where
  /// `own` is what the caller's clock says.
  virtual double longest(double own) { return own; }
  /// Untimed, after each sample: undoes `arm`.
  virtual void disarm() {}
  /// The fetched result.
  virtual Value result() const = 0;
  /// The fetched results of a problem with groups, one accumulator behind the other, and room for
  /// one more, which only `spoil` writes. Empty where there are no groups.
  virtual std::span<const std::byte> results() const { return {}; }
  /// Overwrites the place of the result, untimed, so that a run which writes nothing cannot pass on
  /// its predecessor's.
  virtual void spoil() = 0;
  virtual const Footprint& footprint() const = 0;
  /// The tuning as resolved: no zero on an axis that the rung has.
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
  /// Makes it the calling thread's: to be called before anything else where a process has several
  /// devices open. The one that was opened last is the thread's without it.
  virtual void select() {}
  /// Clocks, temperature, throttle reasons now; empty where nothing tells.
  virtual std::vector<Fact> conditions() { return {}; }
  /// What has disturbed it since the last call, in words: a clock that was lowered, a CPU that was
  /// taken away. Empty where nothing has, or nothing tells. Asked after each sample, outside of
  /// what is timed.
  virtual std::string disturbance() { return {}; }
  /// What counts the energy that the device takes. Throws `NotPossible` with a sentence where
  /// nothing does, or may be read.
  virtual std::unique_ptr<EnergyCounter> energy_counter() {
    throw NotPossible("no counter of its energy is known");
  }

  /// What the tuned rung is to choose here; with no line, its own rule holds.
  const Tuned& tuned() const { return tuned_; }
  virtual void use(Tuned tuned) { tuned_ = std::move(tuned); }

  virtual std::size_t free_bytes() = 0;
  /// Throws `NotPossible` where there is not enough. Aligned to 256 bytes or more.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;
  /// Host memory that both sides reach at one address and that copies to and from fastest:
  /// page-locked where that means something. Aligned to 128 bytes or more.
  virtual std::unique_ptr<Buffer> allocate_pinned(std::size_t bytes) = 0;
  /// Writes elements `first` to `first + count - 1` of the recipe's data to `destination`, where it
  /// will be read. This, `upload` and `download` have finished when they return. Throws
  /// `NotPossible` for data from a file, which cannot be generated.
  virtual void fill(void* destination, Type type, const Recipe& recipe, std::uint64_t first,
                    std::size_t count) = 0;
  virtual void upload(void* destination, const void* source, std::size_t bytes) = 0;
  virtual void download(void* destination, const void* source, std::size_t bytes) = 0;
  /// Enqueues the setting of `bytes` bytes to `byte`.
  virtual void enqueue_set(void* destination, int byte, std::size_t bytes) = 0;
  /// Enqueues the copy of `bytes` bytes of pinned memory, which have to stay until it is done.
  virtual void enqueue_upload(void* destination, const void* pinned, std::size_t bytes) = 0;

  /// The read-only sweep: what each configuration is, and the reading of `bytes` bytes (a multiple
  /// of 16) in it.
  virtual std::vector<std::string> ceiling_configurations() const = 0;
  virtual std::unique_ptr<Job> ceiling(std::size_t configuration, const void* input,
                                       std::size_t bytes) = 0;
  virtual std::unique_ptr<Job> floor(Floor which) = 0;

  /// Reads four times the last-level cache by ordinary reads, so that nothing of the input and no
  /// dirty line is left in it. `eviction` says how much that is.
  virtual void evict() = 0;
  virtual Eviction eviction() const = 0;

  /// Whether kernel scope exists. What follows is called only then.
  virtual bool has_timer() const { return false; }
  /// Makes the stream wait until `release`.
  virtual void hold() {}
  virtual void mark_start() {}
  virtual void mark_stop() {}
  /// Lets the stream go and waits for nothing, so that several devices begin together; `release`
  /// has to follow.
  virtual void let_go() noexcept {}
  /// Lets the stream go and waits for it. False where the hold had given up before: then the time
  /// means nothing.
  virtual bool release() { return true; }
  /// Of several devices in one: seconds on the host's clock from before `release` let the first one
  /// go until it had let the last one go. What one device alone has not.
  virtual std::optional<double> release_skew() const { return std::nullopt; }
  /// Seconds between the marks, after `release`.
  virtual double elapsed() { return 0; }

  /// The stream that all models on this device put their work on, as the runtime's own handle; null
  /// on a host.
  virtual void* stream() const { return nullptr; }
  /// Waits for all that was enqueued; throws what went wrong in it.
  virtual void synchronize() {}
  /// Clears an error, so that the next measurement can run. Returns a sentence where the device is
  /// lost for good.
  virtual std::optional<std::string> recover() { return std::nullopt; }

 private:
  Tuned tuned_;
};

}  // namespace ladder
