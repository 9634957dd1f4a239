#pragma once

// Threads that can start in less than a microsecond, since they wait for work in a loop: those that
// sleep take tens of microseconds to wake, as OpenMP's do here while there is nothing to do
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

  /// The same for work that is done before a thread that sleeps has come: where one of these does,
  /// the calling thread works for all of them. Armed it does so once; who comes again waits for
  /// them.
  template <class Work>
  void run_if_awake(unsigned workers, const Work& work) {
    const bool again = spinning_.load(std::memory_order_relaxed) && std::exchange(asked_, true);
    if (again || awake(workers)) return run(workers, work);
    for (unsigned worker = 0; worker < workers; ++worker) work(worker);
  }

  /// Calls `take(turn)` for each turn below `turns`: each worker takes those of its own share, then
  /// what is left of the next ones', so that none waits for the slowest. `take` may not throw.
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
    std::atomic<std::size_t> next{0};  ///< the first of its turns that nobody has taken
  };
  using Work = void (*)(const void*, unsigned);

  bool awake(unsigned workers) const noexcept;
  void start(unsigned workers, Work work, const void* context);
  void finish(unsigned workers) const noexcept;

  unsigned most_;
  std::function<void(unsigned)> settle_;
  std::atomic<bool> spinning_{false};
  bool asked_ = false;  ///< `run_if_awake`, since it was armed
  std::vector<Share> shares_;
  std::vector<std::unique_ptr<Helper>> helpers_;  ///< worker 1 and on, made when first needed
};

}  // namespace ladder
