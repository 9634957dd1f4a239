#include "common/device/host/pinning.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>

#include <omp.h>

namespace ladder::host {

Mask mask_of_caller() {
  Mask mask{};
  if (sched_getaffinity(0, sizeof mask, mask.data()) != 0) {
    throw std::runtime_error("the kernel does not say on which CPUs this thread may run");
  }
  return mask;
}

bool set_mask_of_caller(const Mask& mask) noexcept {
  return sched_setaffinity(0, sizeof mask, mask.data()) == 0;
}

Mask mask_of(unsigned cpu) {
  Mask mask{};
  CPU_SET_S(cpu, sizeof mask, mask.data());
  return mask;
}

bool contains(const Mask& mask, unsigned cpu) {
  return CPU_ISSET_S(cpu, sizeof mask, mask.data()) != 0;
}

bool may_pin() {
  static const bool may = set_mask_of_caller(mask_of_caller());
  return may;
}

Pinning::Pinning(Places places, unsigned default_workers, bool pins)
    : places_(std::move(places)),
      default_workers_(std::clamp(default_workers, 1U, max_workers())),
      pins_(pins) {
  omp_set_dynamic(0);  // a team of another size would run on unpinned threads
}

void Pinning::arm(unsigned workers) {
  if (workers == 0 || workers > max_workers()) {
    throw std::runtime_error(std::to_string(workers) + " workers cannot be placed on " +
                             std::to_string(max_workers()) + " hardware threads");
  }
  if (armed_ == 0) before_ = mask_of_caller();
  armed_ = workers;
  std::atomic<unsigned> team{0}, pinned{0};
  const int threads = static_cast<int>(workers);
#pragma omp parallel num_threads(threads)
  {
    const auto me = static_cast<unsigned>(omp_get_thread_num());
    ++team;
    if (!pins_ || set_mask_of_caller(mask_of(places_.cpus[me]))) ++pinned;
  }
  if (team != workers || pinned != workers) {
    disarm();
    std::string limits;
    for (const char* name : {"OMP_THREAD_LIMIT", "OMP_MAX_ACTIVE_LEVELS", "OMP_DYNAMIC"}) {
      if (const char* value = std::getenv(name))
        limits += std::string(limits.empty() ? ": " : ", ") + name + "=" + value;
    }
    throw std::runtime_error(team != workers
                                 ? "OpenMP gave " + std::to_string(team) + " threads in place of " +
                                       std::to_string(workers) + limits
                                 : "the kernel let " + std::to_string(pinned) + " of " +
                                       std::to_string(workers) + " workers be pinned");
  }
}

void Pinning::disarm() noexcept {
  if (armed_ == 0) return;
  set_mask_of_caller(before_);
  armed_ = 0;
}

Armed::Armed(Pinning& pinning, unsigned workers) : pinning_(pinning), before_(pinning.armed()) {
  pinning.arm(workers);
}

Armed::~Armed() {
  if (before_ == 0) {
    pinning_.disarm();
    return;
  }
  try {
    pinning_.arm(before_);
  } catch (const std::runtime_error&) {
    pinning_.disarm();  // arming succeeded a moment ago; unpinned workers are the lesser evil
  }
}

}  // namespace ladder::host
