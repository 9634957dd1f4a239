// Early termination of a run, and the progress line.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <iostream>
#include <utility>

#include <sys/ioctl.h>
#include <unistd.h>

#include "bench/run/study.hpp"
#include "bench/text.hpp"

namespace ladder::bench {
namespace {

std::atomic<TimeLimit*> time_limit = nullptr;  // NOLINT(*-avoid-non-const-global-variables)

}  // namespace

/// Some run-time libraries abort when the device is lost. The measuring thread calls abort()
/// outside of any other call, so `give_up` is not limited to async-signal-safe functions. abort()
/// ends the program itself if this returns.
void note_abort(int /*signal*/) {
  TimeLimit* const limit = time_limit;
  std::signal(SIGABRT, SIG_DFL);
  if (limit == nullptr) return;
  const std::lock_guard lock(limit->mutex_);
  if (limit->give_up_) limit->give_up_("the run-time library ended the program (SIGABRT)");
}

TimeLimit::TimeLimit(double seconds) : limit_(seconds) {
  time_limit = this;
  std::signal(SIGABRT, note_abort);
  if (seconds > 0) thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

TimeLimit::~TimeLimit() {
  std::signal(SIGABRT, SIG_DFL);
  time_limit = nullptr;
}

void TimeLimit::set(GiveUp give_up) {
  const std::lock_guard lock(mutex_);  // blocks forever if the other thread has given up
  give_up_ = std::move(give_up);
  began_ = Clock::now();
}

void TimeLimit::run(const std::function<void()>& body, GiveUp give_up) {
  set(std::move(give_up));
  try {
    body();
  } catch (...) {
    set(nullptr);
    throw;
  }
  set(nullptr);
}

void TimeLimit::watch(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  std::condition_variable_any wake;
  while (!stop.stop_requested()) {
    if (give_up_ && Clock::now() - began_ > limit_)
      give_up_(concat("no answer within ", limit_.count(), " s (--watchdog)"));
    wake.wait_for(lock, stop, limit_ / 8, [] { return false; });
  }
}

Progress::Progress(const Process& process)
    : which_(process.of > 1 ? concat("process ", process.index, " of ", process.of, ": ") : ""),
      terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::show(const std::string& line) {
  winsize size{};
  ioctl(STDERR_FILENO, TIOCGWINSZ, &size);
  const std::size_t room = size.ws_col > 0 ? size.ws_col - 1U : 79U;
  std::cerr << "\r\033[K" << (which_ + line).substr(0, room) << std::flush;
  shown_ = Clock::now();
}

void Progress::stage(const std::string& what) {
  if (terminal_) show(what + " ...");
}

void Progress::expect(double seconds) {
  expected_ += seconds;
  begun_ = Clock::now();
}

void Progress::advance(double seconds, const std::string& what) {
  done_ += seconds;
  const auto now = Clock::now();
  if (!terminal_ || done_ == 0 || now - shown_ < std::chrono::milliseconds(200)) return;
  const double part = std::min(1.0, done_ / expected_);
  const double spent = std::chrono::duration<double>(now - begun_).count();
  show(concat("[", std::lround(100 * part), " %, ", duration_text(spent / part * (1 - part)),
              " left] ", what));
}

void Progress::clear() {
  if (shown_ != Clock::time_point{}) std::cerr << "\r\033[K" << std::flush;
  shown_ = {};
}

}  // namespace ladder::bench
