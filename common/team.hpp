#pragma once

// Threads that can start in less than a microsecond, since they wait for work in a loop: those that
// sleep take tens of microseconds to wake, as OpenMP's do here while there is nothing to do
// (OMP_WAIT_POLICY=passive).

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

namespace ladder {

/// They spin between `arm` and `disarm` only, and only if they had something to do since; else they
/// sleep.
class Team {
 public:
  /// At most so many workers. Each thread of the team calls `settle(worker)` when it begins, say to
  /// go where it is to stay.
  Team(unsigned most, std::function<void(unsigned worker)> settle);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team();

  /// Calls `work(worker)` for each worker below `workers` and returns when all are done. Worker 0
  /// is the calling thread. `work` may not throw.
  template <class Work>
  void run(unsigned workers, const Work& work) {
    static_assert(std::is_invocable_v<const Work&, unsigned>);
    if (workers > 1) {
      start(
          workers,
          [](const void* context, unsigned worker) {
            (*static_cast<const Work*>(context))(worker);
          },
          &work);
    }
    work(0U);
    if (workers > 1) finish(workers);
  }

  void arm() noexcept { spinning_.store(true, std::memory_order_relaxed); }
  void disarm() noexcept { spinning_.store(false, std::memory_order_relaxed); }

 private:
  class Helper;
  using Work = void (*)(const void*, unsigned);

  void start(unsigned workers, Work work, const void* context);
  void finish(unsigned workers) const noexcept;

  unsigned most_;
  std::function<void(unsigned)> settle_;
  std::atomic<bool> spinning_{false};
  Work work_ = nullptr;
  const void* context_ = nullptr;
  std::vector<std::unique_ptr<Helper>> helpers_;  ///< worker 1 and on, made when first needed
};

}  // namespace ladder
