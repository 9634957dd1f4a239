#pragma once

// Keeps a rank from waiting forever for one that is gone or hangs.

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace ladder::several {

/// Ends this process with a message if a wait exceeds its limit; mpirun then ends the others.
/// `begin` and `end` cost a clock reading and two stores at most, so timed runs may call them.
class Watch {
 public:
  /// `patience` seconds are added to the limit of each wait.
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
  std::jthread thread_;  ///< last: it uses the others
};

}  // namespace ladder::several
