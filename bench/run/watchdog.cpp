#include "bench/run/watchdog.hpp"

#include <chrono>
#include <csignal>
#include <limits>
#include <utility>

#include <unistd.h>

#include "bench/text.hpp"

namespace ladder::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t nothing = 0, given_up = -1;  // no times
constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// The one there is, for the handler.
std::atomic<Watchdog*>& current() {
  static std::atomic<Watchdog*> watchdog = nullptr;
  return watchdog;
}

/// Some run-time libraries end the program where the device is lost. `abort` is called by the
/// thread that measures, in the middle of no other call, so that more than a handler may do is done
/// here. Where this returns, `abort` ends the program itself.
extern "C" void note_abort(int /*signal*/) {
  if (auto* watchdog = current().load(); watchdog != nullptr) watchdog->aborted();
}

Clock::time_point moment_of(std::int64_t back_by) {
  return Clock::time_point(
      std::chrono::duration_cast<Clock::duration>(std::chrono::nanoseconds(back_by)));
}

std::int64_t in(double seconds) {
  const auto now = std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
  return now + static_cast<std::int64_t>(seconds * 1e9);
}

}  // namespace

Watchdog::Watchdog(double seconds, std::function<void(const std::string&)> give_up)
    : seconds_(seconds), give_up_(std::move(give_up)), back_by_(nothing) {
  current() = this;
  std::signal(SIGABRT, note_abort);
  if (seconds_ > 0) thread_ = std::thread([this] { wait_for_the_worst(); });
}

Watchdog::~Watchdog() {
  current() = nullptr;
  std::signal(SIGABRT, SIG_DFL);
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watchdog::begin() { back_by_ = seconds_ > 0 ? in(seconds_) : no_limit; }

void Watchdog::end() {
  // Too late: the other thread is writing down what happened, and ends the process.
  if (back_by_.exchange(nothing) == given_up)
    for (;;) pause();
}

void Watchdog::aborted() {
  if (back_by_.exchange(given_up) > nothing)
    give_up_("the run-time library ended the program (SIGABRT)");
}

void Watchdog::wait_for_the_worst() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    auto back_by = back_by_.load();
    if (back_by > nothing && moment_of(back_by) <= Clock::now()) {
      if (back_by_.compare_exchange_strong(back_by, given_up))
        give_up_(concat("no answer within ", seconds_, " s (--watchdog)"));
      continue;
    }
    // What begins while this sleeps has to be back no earlier than it wakes.
    wake_.wait_until(lock, moment_of(back_by > nothing ? back_by : in(seconds_)),
                     [this] { return stop_; });
  }
}

}  // namespace ladder::bench
