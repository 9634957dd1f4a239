#pragma once

// A device's energy counter, where it has one: what it has taken so far, and the clock that goes
// with it.

#include <chrono>
#include <string>
#include <thread>

namespace ladder {

class EnergyCounter {
 public:
  EnergyCounter() = default;
  EnergyCounter(const EnergyCounter&) = delete;
  EnergyCounter& operator=(const EnergyCounter&) = delete;
  virtual ~EnergyCounter() = default;

  /// Joules taken since a moment that does not change while this lives; never less than before.
  /// Between two of its changes a counter says the same. Throws where it cannot be read any more.
  virtual double joules() = 0;
  /// What is read, and what it counts: "nvmlDeviceGetTotalEnergyConsumption: the whole board".
  virtual std::string source() const = 0;

  /// Seconds by the clock that readings are timed with: a steady one.
  virtual double now() {
    using Clock = std::chrono::steady_clock;
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  }
  /// Lets about so many seconds go by.
  virtual void wait(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  }
};

}  // namespace ladder
