#include "common/device/host/thread_team.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace ladder {
namespace {

/// Hints to the processor that this is a spin loop.
void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

/// A thread and its two counters: calls and completed calls. Each counter has its own cache lines,
/// together with the data that its waiting thread needs next: moving a line between cores takes
/// about 100 ns.
class Team::Helper {
 public:
  Helper(const Team& team, unsigned worker)
      : thread_([this, &team, worker] { live(team, worker); }) {}
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper() {
    call(nullptr, nullptr);
    thread_.join();
  }

  /// A null `work` ends the thread.
  void call(Work work, const void* context) noexcept {
    work_ = work;
    context_ = context;
    called_.fetch_add(1, std::memory_order_release);
    called_.notify_one();  // reads only a counter if the thread is awake
  }
  void await() const noexcept {
    const auto called = called_.load(std::memory_order_relaxed);
    while (done_.load(std::memory_order_acquire) != called) pause();
  }
  bool asleep() const noexcept { return asleep_.load(std::memory_order_relaxed); }

 private:
  void live(const Team& team, unsigned worker) {
    team.settle_(worker);
    for (std::uint32_t done = 0;; done_.store(++done, std::memory_order_release)) {
      for (unsigned looks = 1; called_.load(std::memory_order_acquire) == done; ++looks) {
        if (looks % looks_between != 0 || team.spinning_.load(std::memory_order_relaxed)) {
          pause();
        } else {
          asleep_.store(true, std::memory_order_relaxed);
          called_.wait(done, std::memory_order_acquire);
          asleep_.store(false, std::memory_order_relaxed);
        }
      }
      if (work_ == nullptr) return;
      work_(context_, worker);
    }
  }

  /// Polls between checks of `spinning_`, since the caller writes next to it. An unarmed thread
  /// thus polls for about a microsecond, then sleeps.
  static constexpr unsigned looks_between = 64;

  alignas(128) std::atomic<std::uint32_t> called_{0};
  Work work_ = nullptr;
  const void* context_ = nullptr;
  alignas(128) std::atomic<std::uint32_t> done_{0};
  std::atomic<bool> asleep_{false};
  std::thread thread_;  // last: it uses the other members
};

Team::Team(unsigned most, std::function<void(unsigned)> settle)
    : most_(most), settle_(std::move(settle)), shares_(most) {}
Team::~Team() = default;

bool Team::awake(unsigned workers) const noexcept {
  return helpers_.size() + 1 >= workers &&
         std::none_of(helpers_.begin(), helpers_.begin() + (workers - 1),
                      [](const auto& helper) { return helper->asleep(); });
}

void Team::start(unsigned workers, Work work, const void* context) {
  if (workers > most_) {
    throw std::runtime_error(std::to_string(workers) + " workers cannot be placed on " +
                             std::to_string(most_) + " hardware threads");
  }
  while (helpers_.size() + 1 < workers) {
    helpers_.push_back(std::make_unique<Helper>(*this, static_cast<unsigned>(helpers_.size() + 1)));
  }
  for (unsigned worker = 1; worker < workers; ++worker) helpers_[worker - 1]->call(work, context);
}

void Team::finish(unsigned workers) const noexcept {
  for (unsigned worker = 1; worker < workers; ++worker) helpers_[worker - 1]->await();
}

}  // namespace ladder
