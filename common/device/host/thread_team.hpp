#pragma once

// Threads that start in less than a microsecond, because they spin while they wait. Sleeping
// threads take tens of microseconds to wake, as OpenMP's do here when idle
// (OMP_WAIT_POLICY=passive).

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace ladder {

/// The threads spin only between `arm` and `disarm`, and only if they got work since `arm`;
/// otherwise they sleep.
class Team {
 public:
  /// Has at most `most` workers. Each thread calls `settle(worker)` when it starts, for example to
  /// pin itself.
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

  /// Like `run`, for work shorter than waking a thread: if one of the threads sleeps, the caller
  /// does the work of all. While armed, only the first call does so; later calls wait for the
  /// threads.
  template <class Work>
  void run_if_awake(unsigned workers, const Work& work) {
    const bool again = spinning_.load(std::memory_order_relaxed) && std::exchange(asked_, true);
    if (again || awake(workers)) return run(workers, work);
    for (unsigned worker = 0; worker < workers; ++worker) work(worker);
  }

  /// Calls `take(turn)` for each turn below `turns`: each worker takes the turns of its own share,
  /// then the remaining ones of the next, so that none waits for the slowest. `take` may not throw.
  template <class Take>
  void run_in_turns(unsigned workers, std::size_t turns, const Take& take) {
    const auto first_of = [=](std::size_t worker) { return turns * worker / workers; };
    for (unsigned i = 0; i < workers; ++i) shares_[i].next = first_of(i);
    run(workers, [&](unsigned me) {
      for (unsigned i = 0; i < workers; ++i) {
        const unsigned whose = (me + i) % workers;
        const std::size_t end = first_of(whose + 1);
        auto& next = shares_[whose].next;
        for (std::size_t turn = 0; (turn = next.fetch_add(1, std::memory_order_relaxed)) < end;)
          take(turn);
      }
    });
  }

  void arm() noexcept {
    asked_ = false;
    spinning_.store(true, std::memory_order_relaxed);
  }
  void disarm() noexcept { spinning_.store(false, std::memory_order_relaxed); }

 private:
  class Helper;
  struct alignas(128) Share {
    std::atomic<std::size_t> next{0};  ///< first turn not yet taken
  };
  using Work = void (*)(const void*, unsigned);

  bool awake(unsigned workers) const noexcept;
  void start(unsigned workers, Work work, const void* context);
  void finish(unsigned workers) const noexcept;

  unsigned most_;
  std::function<void(unsigned)> settle_;
  std::atomic<bool> spinning_{false};
  bool asked_ = false;  ///< `run_if_awake` was called since `arm`
  std::vector<Share> shares_;
  std::vector<std::unique_ptr<Helper>> helpers_;  ///< worker 1 and on, created on first use
};

}  // namespace ladder
