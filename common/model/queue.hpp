#pragma once

// Base of all queues whose rungs are traced: the memory of the device, and the footprint of
// enqueued work.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/device/device.hpp"

namespace ladder {

/// Mailbox words in device memory, which persist from run to run. The first one holds the epoch:
/// the number of the next call, never 0. The others are 0 before the first call. Calls with the
/// same words run one after another.
struct Words {
  std::uint64_t* at;
  std::uint32_t count;  ///< words after the first one
};

/// 64-bit words per accumulator; each holds 4 payload bytes and the 32-bit epoch.
template <class A>
inline constexpr unsigned words_of = (sizeof(A) + 3) / 4;

/// Device memory of rungs, except their input. All models on a device share it: the address of a
/// result or a partial can change the speed by a few percent, so both sides of a ratio between
/// models use the same addresses. Calls on a device run one after another, and each leaves the
/// ticket, the words and the digits as the next one needs them.
struct WorkMemory {
  static constexpr std::size_t granule = 256;  ///< bytes of each small buffer
  static constexpr std::uint32_t most_words = 1U << 17;
  static constexpr unsigned most_group_tickets = 4096;
  static constexpr std::size_t most_digits = 1152;  ///< 16 copies of 72: common/model/exact.hpp

  explicit WorkMemory(std::shared_ptr<Device> on)
      : device(std::move(on)),
        result(device->allocate(granule)),
        ticket(device->allocate(granule)),
        words(device->allocate((most_words + 1) * sizeof(std::uint64_t))),
        digits(device->allocate(sizeof(std::int64_t) * most_digits)),
        group_tickets(device->allocate(sizeof(unsigned) * most_group_tickets)),
        pinned(device->allocate_pinned(granule)) {
    for (const auto* const zeros : {&ticket, &words, &digits, &group_tickets})
      device->enqueue_set((*zeros)->data(), 0, (*zeros)->bytes());
    device->enqueue_set(words->data(), 1, sizeof(std::uint64_t));
  }

  /// Makes room for runs that need up to `bytes` bytes of scratch. Throws `NotPossible`.
  void reserve(std::size_t bytes) {
    if (bytes <= (scratch ? scratch->bytes() : 0)) return;
    device->synchronize();
    scratch.reset();
    scratch = device->allocate(bytes);
  }
  /// Makes room for `bytes` bytes of the groups' results. Throws `NotPossible`.
  void reserve_group_results(std::size_t bytes) {
    if (group_results && bytes <= group_results->bytes()) return;
    device->synchronize();
    group_results.reset();
    host_group_results.reset();
    host_group_results = device->allocate_pinned(bytes);
    group_results = device->allocate(bytes);
  }

  std::shared_ptr<Device> device;
  std::unique_ptr<Buffer> result, ticket, words, digits, group_tickets, pinned;
  /// Allocated on first use: scratch, and the results of a problem with groups, on the device and
  /// in host memory.
  std::unique_ptr<Buffer> scratch, group_results, host_group_results;
};

/// The work memory of this device, shared as long as somebody owns it.
inline std::shared_ptr<WorkMemory> work_memory_on(std::shared_ptr<Device> device) {
  // No map: clang 15 crashes on one when it compiles C++20 as HIP.
  static std::vector<std::pair<const Device*, std::weak_ptr<WorkMemory>>> known;
  std::erase_if(known, [](const auto& one) { return one.second.expired(); });
  const auto found =
      std::ranges::find(known, device.get(), [](const auto& one) { return one.first; });
  if (found != known.end()) return found->second.lock();
  const Device* const key = device.get();
  auto made = std::make_shared<WorkMemory>(std::move(device));
  known.emplace_back(key, made);
  return made;
}

/// Launch configuration: blocks (a league's teams), threads of a block (leaves of a team's tile),
/// bytes of dynamic shared memory per block.
struct Shape {
  std::size_t grid = 1;
  unsigned block = 1;
  std::size_t shared = 0;
};

class Queue {
 public:
  explicit Queue(std::shared_ptr<Device> device) : memory_(work_memory_on(std::move(device))) {}

  // Interface for rungs.

  /// Device memory for `count` values until the end of this run, allocated before the first run.
  /// Each call within a run returns another piece, aligned to 256 bytes. When tracing, returns an
  /// address that must not be accessed.
  template <class T>
  T* scratch(std::size_t count) {
    return reinterpret_cast<T*>(take(count * sizeof(T)));
  }
  /// A counter in device memory, zero before each run: a rung that counts with it must reset it.
  unsigned* ticket() const { return at<unsigned>(memory_->ticket); }
  /// `copies` times the digits of an exact sum, all zero before each run: a rung that adds to them
  /// must reset them.
  std::int64_t* digits() const { return at<std::int64_t>(memory_->digits); }
  /// As `ticket`, one for each group that several blocks reduce: `most_group_tickets` of them.
  unsigned* group_tickets() const { return at<unsigned>(memory_->group_tickets); }
  static constexpr unsigned most_group_tickets = WorkMemory::most_group_tickets;
  /// Mailbox in which `blocks` blocks post their partials of type A for the collecting block; the
  /// same for all rungs. Throws `NotPossible` if it has too few words.
  template <class A>
  Words words(std::size_t blocks) const {
    if (blocks * words_of < A >> most_words) {
      throw NotPossible("needs words for " + std::to_string(blocks) + " blocks, there are " +
                        std::to_string(most_words / words_of<A>));
    }
    return {at<std::uint64_t>(memory_->words), most_words};
  }
  /// Host address of the result, of a rung that blocks and of `fetch`.
  template <class T>
  T* host_result() const {
    return at<T>(memory_->pinned);
  }
  const DeviceFacts& facts() const { return device().facts(); }
  /// Configurations of the tuned rung for this device.
  const Tuned& tuned() const { return device().tuned(); }
  /// Warps or wavefronts of a block; the last may have idle lanes.
  unsigned waves(unsigned block) const { return (block + facts().lanes - 1) / facts().lanes; }
  bool tracing() const { return footprint_ != nullptr; }

  // Interface for the backend.

  Device& device() const { return *memory_->device; }
  /// Device address of the result.
  std::byte* result() const { return at<std::byte>(memory_->result); }
  /// Pinned host memory for an 8-byte identity, after the fetched result.
  std::byte* host_identity() const { return host_result<std::byte>() + granule / 2; }

  /// Must be called before each run of a rung. Resets scratch, which is limited to the traced need.
  void begin(std::size_t scratch_limit) {
    scratch_used_ = 0;
    scratch_limit_ = scratch_limit;
  }

  /// Footprint of `rung()` on this queue. If `enqueues` is false, it has only what the rung itself
  /// reports.
  template <class Rung>
  Footprint trace(Rung&& rung, [[maybe_unused]] bool enqueues = true) {
    Footprint footprint;
    const Tracing scope(*this, footprint);
    rung();
    footprint.scratch_bytes = scratch_used_;
    return footprint;
  }

  /// Pin and unpin CPU threads around a measurement; no effect on a GPU.
  void arm() {}
  void disarm() {}
  /// For a library that allocates memory on its first call; no effect here.
  template <class Run>
  void make_ready(Run&&) {}
  /// Makes room for runs that need up to `bytes` bytes of scratch. Throws `NotPossible`.
  void reserve(std::size_t bytes) { memory_->reserve(bytes); }
  /// Results of a problem with groups, as in `WorkMemory`.
  std::byte* group_results() const { return at<std::byte>(memory_->group_results); }
  std::byte* host_group_results() const { return at<std::byte>(memory_->host_group_results); }
  void reserve_group_results(std::size_t bytes) { memory_->reserve_group_results(bytes); }

 protected:
  static constexpr std::size_t granule = WorkMemory::granule;  // bytes; alignment of scratch
  static constexpr std::uint32_t most_words = WorkMemory::most_words;

  Footprint& footprint() { return *footprint_; }
  std::byte* reserved() const { return at<std::byte>(memory_->scratch); }
  std::size_t reserved_bytes() const { return memory_->scratch ? memory_->scratch->bytes() : 0; }

  void* take(std::size_t bytes) {
    const std::size_t offset = scratch_used_;
    scratch_used_ += ceil_div(bytes, granule) * granule;
    if (tracing()) return std::bit_cast<void*>(granule + offset);
    if (scratch_used_ > std::min(scratch_limit_, reserved_bytes())) {
      throw std::logic_error("a rung takes more scratch when it runs than when it was traced");
    }
    return reserved() + offset;
  }

 private:
  class Tracing {
   public:
    Tracing(Queue& queue, Footprint& footprint) : queue_(queue) {
      queue_.footprint_ = &footprint;
      queue_.begin(std::numeric_limits<std::size_t>::max());
    }
    Tracing(const Tracing&) = delete;
    Tracing& operator=(const Tracing&) = delete;
    ~Tracing() { queue_.footprint_ = nullptr; }

   private:
    Queue& queue_;
  };

  /// Null if the buffer was never allocated.
  template <class T>
  static T* at(const std::unique_ptr<Buffer>& buffer) {
    return buffer ? reinterpret_cast<T*>(buffer->data()) : nullptr;
  }

  std::shared_ptr<WorkMemory> memory_;
  std::size_t scratch_used_ = 0;
  std::size_t scratch_limit_ = 0;
  Footprint* footprint_ = nullptr;
};

}  // namespace ladder
