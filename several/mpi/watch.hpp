#pragma once

// What keeps a rank from waiting for ever for one that is gone or hangs.

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace ladder::several {

/// Ends this process with a sentence where it waits longer than it was to. mpirun then ends the
/// others. To say that a wait begins or ends costs one store, so it can be said in a timed run.
class Watch {
 public:
  /// `patience` seconds are added to each time that a wait may take.
  Watch(std::string who, double patience);

  void begin(const char* waiting_for, double seconds) {
    what_.store(waiting_for, std::memory_order_relaxed);
    deadline_.store(now() + static_cast<std::int64_t>((seconds + patience_) * 1e9),
                    std::memory_order_release);
  }
  void end() { deadline_.store(never, std::memory_order_relaxed); }

 private:
  static constexpr std::int64_t never = 0;
  static std::int64_t now() {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void look(const std::stop_token& stopped) const;

  std::string who_;
  double patience_;
  std::atomic<const char*> what_ = "";
  std::atomic<std::int64_t> deadline_ = never;
  std::jthread thread_;  ///< last: it looks at all the others
};

}  // namespace ladder::several
