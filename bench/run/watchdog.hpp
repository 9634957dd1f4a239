#pragma once

// A run on a GPU that does not come back, or that ends the program: what it was is recorded, and
// the process gives the device up.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace ladder::bench {

/// Waits beside the measuring thread, which it wakes nothing of: it looks once in so many seconds.
/// There is one at a time.
class Watchdog {
 public:
  /// A run may take `seconds`; 0: as long as it likes. `give_up` is told why and ends the process.
  /// It is called by another thread while the run goes on, or in the middle of an abort.
  Watchdog(double seconds, std::function<void(const std::string& why)> give_up);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// While it lives, something runs on a device that can be lost. Of none where `watchdog` is null.
  class Watch {
   public:
    explicit Watch(Watchdog* watchdog) : watchdog_(watchdog) {
      if (watchdog_ != nullptr) watchdog_->begin();
    }
    ~Watch() {
      if (watchdog_ != nullptr) watchdog_->end();
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    Watchdog* watchdog_;
  };

  /// Of the handler of an abort.
  void aborted();

 private:
  void begin();
  void end();
  void wait_for_the_worst();

  const double seconds_;
  std::function<void(const std::string&)> give_up_;
  /// When the run that is under way has to be back, by a steady clock; or one of the two that are
  /// no time.
  std::atomic<std::int64_t> back_by_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace ladder::bench
