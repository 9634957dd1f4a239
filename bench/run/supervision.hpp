#pragma once

// The ways in which a run ends early: Ctrl-C, SIGTERM, a time limit, a lost device. And the claim
// of a device, by which two studies notice each other.

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace ladder::bench {

/// Notes SIGINT and SIGTERM from now on, unless the parent process ignores them. A signal more than
/// a second after the first one ends the program at once. `kept` returns a sentence about what is
/// kept, and has to live until the end.
void note_interruptions(std::function<std::string()> kept);

/// If a signal was noted: prints that sentence and exits with 128 plus the signal's number. To be
/// called where everything that was measured is recorded.
void end_where_interrupted();

/// Exit status after the loss of a device.
inline constexpr int lost_status = 3;

/// Prints `error` and what is kept, and exits with `lost_status`. Frees nothing: on a lost device
/// that fails or blocks.
[[noreturn]] void end_as_lost(const std::string& error);

/// Limits the time of a run on a GPU, and catches the abort of a run-time library. One at a time.
class TimeLimit {
 public:
  /// A run may take `seconds`; 0: no limit. `give_up` gets the reason and ends the process, on
  /// another thread while the run goes on, or inside abort().
  TimeLimit(double seconds, std::function<void(const std::string& why)> give_up);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// Lasts as long as one run on the device; limits nothing if `limit` is null.
  class Run {
   public:
    explicit Run(TimeLimit* limit) : limit_(limit) {
      if (limit_ != nullptr) limit_->begin();
    }
    ~Run() {
      if (limit_ != nullptr) limit_->end();
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

   private:
    TimeLimit* limit_;
  };

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::rep no_run = 0, given_up = -1;
  friend void note_abort(int signal);
  void begin();
  void end();
  void watch(const std::stop_token& stop);

  const std::chrono::duration<double> limit_;
  std::function<void(const std::string&)> give_up_;
  std::atomic<Clock::rep> began_;  ///< time of the run under way, or one of these
  std::jthread thread_;            ///< destroyed before what it uses
};

/// Claims for this process, until it ends, the devices whose ids are joined by '+'. False if
/// another process holds one of them.
bool claim_devices(const std::string& ids);

}  // namespace ladder::bench
