#pragma once

// Workers that stay where they are: OpenMP's threads, each on a CPU of its own.

#include <array>
#include <vector>

#include <sched.h>

#include "common/device/host/thread_team.hpp"

namespace ladder::host {

/// A thread's set of CPUs, room for 8192.
using Mask = std::array<cpu_set_t, 8>;

Mask mask_of_caller();
/// False where the kernel refuses.
bool set_mask_of_caller(const Mask& mask) noexcept;
/// Whether threads may be pinned at all: a container may forbid it.
bool may_pin();
Mask mask_of(unsigned cpu);
bool contains(const Mask& mask, unsigned cpu);

/// The CPUs that this process may use: the first hardware thread of every core, core by core as the
/// topology has them, the fastest kind first; then the second ones, and so on.
struct Places {
  std::vector<unsigned> cpus;
  unsigned cores = 1;  ///< how many of them are first threads
};

/// A team on these places, which have to outlive it: worker i at the i-th, the caller where it is.
/// Where the kernel refuses a place, that worker runs anywhere.
inline Team team_at(const Places& places) {
  return {static_cast<unsigned>(places.cpus.size()),
          [&places](unsigned worker) { set_mask_of_caller(mask_of(places.cpus[worker])); }};
}

class Pinning {
 public:
  /// `default_workers` is what zero workers means; there is at most one worker a place. Unless it
  /// `pins`, workers run where the kernel puts them.
  Pinning(Places places, unsigned default_workers, bool pins = may_pin());

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

 private:
  Places places_;
  unsigned default_workers_;
  bool pins_;
  Mask before_{};
  unsigned armed_ = 0;
};

/// Workers that are armed for the length of a scope, whatever was armed before.
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
