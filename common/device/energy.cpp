#include "common/device/energy.hpp"

#include <chrono>
#include <thread>

namespace ladder {

double EnergyCounter::now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

void EnergyCounter::wait(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

}  // namespace ladder
