#pragma once

// What a CPU rung stands on: workers that stay where they are, and scratch that is there before the
// clock starts.

#include <array>
#include <cstddef>
#include <vector>

#include <sched.h>

namespace ladder::cpu {

/// Bytes between partials that must not share a cache line. Two lines: x86 fetches them in pairs.
inline constexpr std::size_t line_bytes = 128;

/// A value that has its cache lines to itself.
template <class T>
struct alignas(line_bytes) Padded {
  T value;
};

/// A thread's set of CPUs, room for 8192.
using Mask = std::array<cpu_set_t, 8>;

Mask mask_of_caller();
/// False where the kernel refuses.
bool set_mask_of_caller(const Mask& mask) noexcept;
Mask mask_of(unsigned cpu);
bool contains(const Mask& mask, unsigned cpu);

/// The CPUs that this process may use: the first hardware thread of every core, core by core as the
/// topology has them, then the second ones, and so on.
struct Places {
  std::vector<unsigned> cpus;
  unsigned cores = 1;  ///< how many of them are first threads
};

class Queue {
 public:
  /// `default_workers` is what zero workers means; there is at most one worker a place.
  Queue(Places places, unsigned default_workers);

  unsigned default_workers() const { return default_workers_; }
  unsigned max_workers() const { return static_cast<unsigned>(places_.cpus.size()); }
  const Places& places() const { return places_; }

  /// Makes OpenMP's team of `workers` threads and pins each to its place; the calling thread is
  /// worker 0. The next parallel regions of that size run on them. Throws std::runtime_error where
  /// the threads or the places cannot be had.
  void arm(unsigned workers);
  /// Gives the calling thread the mask back that it had before `arm`: a thread inherits the mask of
  /// the one that makes it, so those that other libraries make later would all share one CPU. The
  /// other workers keep their places, as only OpenMP wakes them.
  void disarm() noexcept;
  /// How many workers are armed; 0 for none.
  unsigned armed() const { return armed_; }

  /// One slot a worker, each in cache lines of its own.
  template <class T>
  Padded<T>* partials() {
    static_assert(sizeof(Padded<T>) == line_bytes);
    return reinterpret_cast<Padded<T>*>(scratch_.data());
  }
  /// One slot a worker, side by side from the beginning of a cache line on.
  template <class T>
  T* packed() {
    return reinterpret_cast<T*>(scratch_.data());
  }

 private:
  struct alignas(line_bytes) Line {
    std::byte bytes[line_bytes];
  };

  Places places_;
  unsigned default_workers_;
  std::vector<Line> scratch_;
  Mask before_{};
  unsigned armed_ = 0;
};

/// Workers that are armed for the length of a scope, whatever was armed before.
class Armed {
 public:
  Armed(Queue& queue, unsigned workers);
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;
  ~Armed();

 private:
  Queue& queue_;
  unsigned before_;
};

}  // namespace ladder::cpu
