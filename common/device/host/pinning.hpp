#pragma once

// Pinned workers: OpenMP threads, each on its own CPU.

#include <array>
#include <vector>

#include <sched.h>

#include "common/device/host/thread_team.hpp"

namespace ladder::host {

/// A thread's CPU set, with room for 8192.
using Mask = std::array<cpu_set_t, 8>;

Mask mask_of_caller();
/// False if the kernel refuses.
bool set_mask_of_caller(const Mask& mask) noexcept;
/// True if threads may be pinned: a container may forbid it.
bool may_pin();
Mask mask_of(unsigned cpu);
bool contains(const Mask& mask, unsigned cpu);

/// CPUs that this process may use: the first hardware threads of all cores in topology order, the
/// fastest kind first; then the second threads, and so on.
struct Places {
  std::vector<unsigned> cpus;
  unsigned cores = 1;  ///< number of first threads
};

/// A team on these places, which must outlive it: worker i runs at place i, the caller stays. If
/// the kernel refuses a place, that worker runs anywhere.
inline Team team_at(const Places& places) {
  return {static_cast<unsigned>(places.cpus.size()),
          [&places](unsigned worker) { set_mask_of_caller(mask_of(places.cpus[worker])); }};
}

class Pinning {
 public:
  /// `default_workers` replaces zero workers; the maximum is one worker per place. If `pins` is
  /// false, the kernel places the workers.
  Pinning(Places places, unsigned default_workers, bool pins = may_pin());

  unsigned default_workers() const { return default_workers_; }
  unsigned max_workers() const { return static_cast<unsigned>(places_.cpus.size()); }
  const Places& places() const { return places_; }

  /// Creates OpenMP's team of `workers` threads and pins each to its place; the calling thread is
  /// worker 0. The next parallel regions of that size use them. Throws std::runtime_error if
  /// threads or places are unavailable.
  void arm(unsigned workers);
  /// Restores the calling thread's mask from before `arm`. Threads inherit the mask of their
  /// creator, so later threads of other libraries would all share one CPU. The other workers stay
  /// pinned, as only OpenMP wakes them.
  void disarm() noexcept;
  /// Number of armed workers; 0 if none.
  unsigned armed() const { return armed_; }

 private:
  Places places_;
  unsigned default_workers_;
  bool pins_;
  Mask before_{};
  unsigned armed_ = 0;
};

/// Arms workers for a scope, then restores the previous state.
class Armed {
 public:
  Armed(Pinning& pinning, unsigned workers);
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;
  ~Armed();

 private:
  Pinning& pinning_;
  unsigned before_;
};

}  // namespace ladder::host
