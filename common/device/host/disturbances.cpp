#include "common/device/host/disturbances.hpp"

#include <unistd.h>

namespace ladder::host {
namespace {

// Fraction of the time below which a loss disappears in the scatter of samples.
constexpr double felt_part = 0.01;
// Seconds; moving a thread to its place causes short waits of its own.
constexpr double felt_wait = 50e-6;
constexpr std::chrono::milliseconds between_looks{100};  // a tick is 10 ms

/// Number after the first `words` words of a file's current text; 0 if there is none.
double number_after(int words, std::ifstream& file) {
  file.clear();
  file.seekg(0);
  std::string word;
  for (int i = 0; i < words; ++i) file >> word;
  double number = 0;
  file >> number;
  return number;
}

}  // namespace

Disturbances::Disturbances(unsigned cpus, const std::string& stat, const std::string& schedstat)
    : stat_(stat),
      schedstat_(schedstat),
      seconds_per_tick_(1.0 / (static_cast<double>(sysconf(_SC_CLK_TCK)) * cpus)) {}

/// True if more than `least` seconds and a hundredth of the time were lost since the last call.
bool Disturbances::felt(std::optional<Look>& last, const Look& now, double least) {
  const Look before = last.value_or(now);
  last = now;
  const double lost = now.lost - before.lost;
  return lost > least &&
         lost > felt_part * std::chrono::duration<double>(now.at - before.at).count();
}

std::string Disturbances::since_last(Clock::time_point now) {
  std::string words;
  // Nanoseconds for which a runnable thread waited for a CPU: the second number of its schedstat
  // (Linux, Documentation/scheduler/sched-stats.rst).
  if (felt(waited_, {now, number_after(1, schedstat_) * 1e-9}, felt_wait))
    words = "a thread waited for its CPU";
  // Ticks that the hypervisor gave to other machines: the eighth number after the name in the line
  // of all CPUs (proc(5)).
  if (stolen_ && now - stolen_->at < between_looks) return words;
  if (felt(stolen_, {now, number_after(8, stat_) * seconds_per_tick_}, 0))
    words += std::string(words.empty() ? "" : ", ") + "another machine took a CPU";
  return words;
}

}  // namespace ladder::host
