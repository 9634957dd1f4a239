#pragma once

// What every queue has whose rungs are traced: the memory of its device, and the footprint of what
// is put onto it.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "common/device/device.hpp"
#include "common/model/words.hpp"
#include "common/model/work_memory.hpp"

namespace ladder {

/// How a kernel is launched: blocks (a league's teams), threads of a block (leaves of a team's
/// tile), bytes of dynamic shared memory per block.
struct Shape {
  std::size_t grid = 1;
  unsigned block = 1;
  std::size_t shared = 0;
};

class Queue {
 public:
  explicit Queue(std::shared_ptr<Device> device) : memory_(work_memory_on(std::move(device))) {}

  // What rungs use.

  /// Device memory for `count` values until the end of this run; each call of a run gives another
  /// piece, aligned to 256 bytes. Allocated before the first run. When tracing: an address that is
  /// good for counting alone.
  template <class T>
  T* scratch(std::size_t count) {
    return reinterpret_cast<T*>(take(count * sizeof(T)));
  }
  /// A counter in device memory, zero before each run: whoever counts with it leaves it so.
  unsigned* ticket() const { return reinterpret_cast<unsigned*>(memory_->ticket()); }
  /// `copies` times the digits of an exact sum, all zero before each run: who adds to them leaves
  /// them so.
  std::int64_t* digits() const { return reinterpret_cast<std::int64_t*>(memory_->digits()); }
  /// Where `blocks` blocks leave their partials of type A for the one that collects them; the same
  /// for all rungs. Throws `NotPossible` for more blocks than there are words for.
  template <class A>
  Words words(std::size_t blocks) const {
    if (blocks * words_of < A >> most_words) {
      throw NotPossible("needs words for " + std::to_string(blocks) + " blocks, there are " +
                        std::to_string(most_words / words_of<A>));
    }
    return {reinterpret_cast<std::uint64_t*>(memory_->words()), most_words};
  }
  /// Where a rung that blocks leaves its result, and where `fetch` does.
  template <class T>
  T* host_result() const {
    return reinterpret_cast<T*>(memory_->pinned());
  }
  const DeviceFacts& facts() const { return device().facts(); }
  /// What the tuned rung is to choose here.
  const Tuned& tuned() const { return device().tuned(); }
  /// Warps or wavefronts of a block, the last of which may have idle lanes.
  unsigned waves(unsigned block) const { return (block + facts().lanes - 1) / facts().lanes; }
  bool tracing() const { return footprint_ != nullptr; }

  // What the backend uses.

  Device& device() const { return memory_->device(); }
  /// Where results go on the device.
  std::byte* result() const { return memory_->result(); }
  /// Pinned memory of the host beside the fetched result, for 8 bytes.
  std::byte* host_identity() const { return memory_->pinned() + granule / 2; }

  /// To be called before each run of a rung: its scratch begins anew, and may not pass what it was
  /// traced to need.
  void begin(std::size_t scratch_limit) {
    scratch_used_ = 0;
    scratch_limit_ = scratch_limit;
  }

  /// What `rung()` would put onto this queue; where `enqueues` is false it cannot be looked at any
  /// further than the rung itself tells.
  template <class Rung>
  Footprint trace(Rung&& rung, [[maybe_unused]] bool enqueues = true) {
    Footprint footprint;
    const Tracing scope(*this, footprint);
    rung();
    footprint.scratch_bytes = scratch_used_;
    return footprint;
  }

  /// Threads are where they will be measured, from `arm` to `disarm`; nothing on a GPU.
  void arm() {}
  void disarm() {}
  /// For a library that makes memory of its own when it is first called.
  template <class Run>
  void make_ready(Run&&) {}
  /// Makes room for runs that need up to `bytes` bytes of scratch. Throws `NotPossible`.
  void reserve(std::size_t bytes) { memory_->reserve(bytes); }

 protected:
  static constexpr std::size_t granule = WorkMemory::granule;  // bytes between pieces of scratch
  static constexpr std::uint32_t most_words = WorkMemory::most_words;

  Footprint& footprint() { return *footprint_; }
  std::byte* reserved() const { return memory_->scratch(); }
  std::size_t reserved_bytes() const { return memory_->scratch_bytes(); }

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

  std::shared_ptr<WorkMemory> memory_;
  std::size_t scratch_used_ = 0;
  std::size_t scratch_limit_ = 0;
  Footprint* footprint_ = nullptr;
};

}  // namespace ladder
