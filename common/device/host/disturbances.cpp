#include "common/device/host/disturbances.hpp"

#include <array>
#include <cstdlib>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

namespace ladder::host {
namespace {

// Less than this part of the time drowns in what samples differ by.
constexpr double felt_part = 0.01;
// Seconds: a thread that is moved to its place waits for some of these.
constexpr double felt_wait = 50e-6;
constexpr std::chrono::milliseconds between_looks{100};  // a tick is 10 ms

}  // namespace

LostTime::LostTime(const std::string& path, int word, double seconds_per_count,
                   Clock::duration interval)
    : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      word_(word),
      seconds_per_count_(seconds_per_count),
      interval_(interval) {}

LostTime::~LostTime() {
  if (file_ >= 0) close(file_);
}

double LostTime::seconds() const {
  std::array<char, 256> text{};  // ends with a zero
  if (file_ < 0 || pread(file_, text.data(), text.size() - 1, 0) <= 0) return 0;
  std::istringstream words(text.data());
  std::string word;
  for (int i = 0; i <= word_; ++i) words >> word;
  return std::strtod(word.c_str(), nullptr) * seconds_per_count_;
}

bool LostTime::felt(Clock::time_point now, double least) {
  if (looked_ && now - *looked_ < interval_) return false;
  const double passed = std::chrono::duration<double>(now - looked_.value_or(now)).count();
  const double total = seconds(), lost = looked_ ? total - lost_ : 0;
  looked_ = now;
  lost_ = total;
  return lost > least && lost > felt_part * passed;
}

// Nanoseconds for which a thread could have run and waited for a CPU: the second number of its
// schedstat (Linux, Documentation/scheduler/sched-stats.rst). Ticks that the hypervisor gave to
// others: the eighth of the line of all CPUs, behind its name (proc(5)).
Disturbances::Disturbances(unsigned cpus, const std::string& stat, const std::string& schedstat)
    : waited_(schedstat, 1, 1e-9, {}),
      stolen_(stat, 8, 1.0 / (static_cast<double>(sysconf(_SC_CLK_TCK)) * cpus), between_looks) {}

std::string Disturbances::since_last(Clock::time_point now) {
  const bool waited = waited_.felt(now, felt_wait), stolen = stolen_.felt(now, 0);
  std::string words = waited ? "a thread waited for its CPU" : "";
  if (stolen) words += std::string(words.empty() ? "" : ", ") + "another machine took a CPU";
  return words;
}

}  // namespace ladder::host
