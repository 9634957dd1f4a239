#include "common/device/host/disturbances.hpp"

#include <array>
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

double seconds(Disturbances::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

/// The number at that place of a line of words, counted from 0.
std::optional<std::uint64_t> number_at(const std::string& line, int place) {
  std::istringstream words(line);
  std::string word;
  for (int i = 0; i < place; ++i) words >> word;
  std::uint64_t number = 0;
  if (words >> number) return number;
  return std::nullopt;
}

}  // namespace

Reread::Reread(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
Reread::~Reread() {
  if (file_ >= 0) close(file_);
}

std::string Reread::first_line() const {
  std::array<char, 256> text{};
  const ssize_t got = file_ < 0 ? 0 : pread(file_, text.data(), text.size(), 0);
  if (got <= 0) return {};
  const std::string all(text.data(), static_cast<std::size_t>(got));
  return all.substr(0, all.find('\n'));
}

std::optional<std::uint64_t> waited_ns(const std::string& schedstat) {
  return number_at(schedstat, 1);
}
std::optional<std::uint64_t> stolen_ticks(const std::string& stat) {
  if (stat.rfind("cpu ", 0) != 0) return std::nullopt;
  return number_at(stat, 8);
}

Disturbances::Disturbances(unsigned cpus, const std::string& stat, const std::string& schedstat)
    : stat_(stat),
      schedstat_(schedstat),
      ticks_a_second_(static_cast<double>(sysconf(_SC_CLK_TCK)) * cpus) {}

std::string Disturbances::since_last(Clock::time_point now) {
  std::string words;
  if (const auto count = waited_ns(schedstat_.first_line())) {
    if (waited_ && *count > waited_->count) {
      const double waited = static_cast<double>(*count - waited_->count) * 1e-9;
      if (waited > felt_wait && waited > felt_part * seconds(now - waited_->at))
        words = "a thread waited for its CPU";
    }
    waited_ = {now, *count};
  }
  if (stolen_ && now - stolen_->at < between_looks) return words;
  if (const auto count = stolen_ticks(stat_.first_line())) {
    if (stolen_ && *count > stolen_->count) {
      const double stolen = static_cast<double>(*count - stolen_->count) / ticks_a_second_;
      if (stolen > felt_part * seconds(now - stolen_->at))
        words += std::string(words.empty() ? "" : ", ") + "another machine took a CPU";
    }
    stolen_ = {now, *count};
  }
  return words;
}

}  // namespace ladder::host
