#include "common/team.hpp"

#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace ladder {
namespace {

/// Tells the processor that this is a loop that waits.
void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

/// A thread and its two counters: how often it was called, and how often it has come to an end.
/// Each in cache lines of its own, since another thread waits for it.
class Team::Helper {
 public:
  Helper(const Team& team, unsigned worker)
      : thread_([this, &team, worker] { live(team, worker); }) {}
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper() {
    stop_.store(true, std::memory_order_relaxed);
    call();
    thread_.join();
  }

  void call() noexcept {
    called_.fetch_add(1, std::memory_order_release);
    called_.notify_one();  // a look at a counter where it does not sleep
  }
  void await() const noexcept {
    const auto called = called_.load(std::memory_order_relaxed);
    while (done_.load(std::memory_order_acquire) != called) pause();
  }

 private:
  void live(const Team& team, unsigned worker) {
    team.settle_(worker);
    for (std::uint32_t done = 0;; done_.store(++done, std::memory_order_release)) {
      while (called_.load(std::memory_order_acquire) == done) {
        if (team.spinning_.load(std::memory_order_relaxed)) {
          pause();
        } else {
          called_.wait(done, std::memory_order_acquire);
        }
      }
      if (stop_.load(std::memory_order_relaxed)) return;
      team.work_(team.context_, worker);
    }
  }

  alignas(128) std::atomic<std::uint32_t> called_{0};
  alignas(128) std::atomic<std::uint32_t> done_{0};
  alignas(128) std::atomic<bool> stop_{false};
  std::thread thread_;  // last: it uses the others
};

Team::Team(unsigned most, std::function<void(unsigned)> settle)
    : most_(most), settle_(std::move(settle)) {}
Team::~Team() = default;

void Team::start(unsigned workers, Work work, const void* context) {
  if (workers > most_) {
    throw std::runtime_error(std::to_string(workers) + " workers cannot be placed on " +
                             std::to_string(most_) + " hardware threads");
  }
  work_ = work;
  context_ = context;
  while (helpers_.size() + 1 < workers) {
    helpers_.push_back(std::make_unique<Helper>(*this, static_cast<unsigned>(helpers_.size() + 1)));
  }
  for (unsigned worker = 1; worker < workers; ++worker) helpers_[worker - 1]->call();
}

void Team::finish(unsigned workers) const noexcept {
  for (unsigned worker = 1; worker < workers; ++worker) helpers_[worker - 1]->await();
}

}  // namespace ladder
