#include "bench/records/interruption.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <utility>

#include <unistd.h>

namespace ladder::bench {
namespace {

// All that a handler may touch. Any thread may be the one that a signal finds.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> noted = 0;
std::atomic<std::int64_t> noted_at = 0;  ///< ns of the monotonic clock
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<int>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free);

/// Who stops a whole group of processes (timeout, a batch system, --processes itself) tells each of
/// them more than once. What comes within this time of the first is the same wish.
constexpr std::int64_t same_wish = 1'000'000'000;

std::function<std::string()>& what_is_kept() {
  static std::function<std::string()> kept;
  return kept;
}

std::int64_t nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

extern "C" void note(int signal) {
  const int error = errno;
  const std::int64_t now = nanoseconds();
  std::int64_t first = 0;
  if (noted_at.compare_exchange_strong(first, now)) {
    noted = signal;
    constexpr char words[] = "\nladder: stopping after what is under way (once more: at once)\n";
    // Nothing can be done where even that cannot be told.
    [[maybe_unused]] const auto told = write(STDERR_FILENO, words, sizeof words - 1);
  } else if (now - first > same_wish) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
  errno = error;
}

}  // namespace

void note_interruptions(std::function<std::string()> kept) {
  what_is_kept() = std::move(kept);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    struct sigaction ours {};
    ours.sa_handler = note;
    ours.sa_flags = SA_RESTART;
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &ours, nullptr);
  }
}

void end_where_interrupted() {
  const int signal = noted;
  if (signal == 0) return;
  std::cout.flush();
  std::cerr << "ladder: stopped by " << (signal == SIGINT ? "Ctrl-C" : "SIGTERM") << "; "
            << what_is_kept()() << std::endl;
  std::_Exit(128 + signal);  // Google Benchmark cannot be left in the middle
}

void end_as_lost(const std::string& error) {
  std::cout.flush();
  std::cerr << "ladder: failed: " << error << "; "
            << (what_is_kept() ? what_is_kept()() : "nothing is kept") << std::endl;
  std::_Exit(lost_status);
}

}  // namespace ladder::bench
