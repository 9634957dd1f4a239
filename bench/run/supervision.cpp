#include "bench/run/supervision.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <mutex>
#include <set>
#include <sstream>
#include <utility>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "bench/text.hpp"

namespace ladder::bench {
namespace {

// Touched by signal handlers. NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> noted = 0;
std::atomic<std::time_t> noted_at = 0;  ///< seconds of the monotonic clock
std::atomic<TimeLimit*> time_limit = nullptr;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<int>::is_always_lock_free &&
              std::atomic<std::time_t>::is_always_lock_free);

std::function<std::string()>& what_is_kept() {
  static std::function<std::string()> kept;
  return kept;
}

/// A group of processes that is stopped (by timeout, a batch system, --processes itself) gets the
/// signal more than once: within a second of the first it counts as the same.
extern "C" void note(int signal) {
  const int error = errno;
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::time_t first = 0;
  if (noted_at.compare_exchange_strong(first, now.tv_sec)) {
    noted = signal;
    constexpr char words[] = "\nladder: stopping after what is under way (once more: at once)\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, words, sizeof words - 1);
  } else if (now.tv_sec - first > 1) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
  errno = error;
}

bool claim_device(const std::string& id) {
  // A name with a leading zero is in no folder, and free again when its process ends (unix(7)).
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "ladder measures on " + id;
  const auto length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  const int held = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return held < 0 ||
         bind(held, reinterpret_cast<sockaddr*>(&address),
              static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length)) == 0 ||
         errno != EADDRINUSE;
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
  std::cerr << "ladder: failed: " << error << "; " << what_is_kept()() << std::endl;
  std::_Exit(lost_status);
}

/// Some run-time libraries abort when the device is lost. The measuring thread calls abort()
/// outside of any other call, so that `give_up` may do more than a handler may. abort() ends the
/// program itself if this returns.
void note_abort(int /*signal*/) {
  TimeLimit* const limit = time_limit;
  if (limit != nullptr && limit->began_.exchange(TimeLimit::given_up) > TimeLimit::no_run)
    limit->give_up_("the run-time library ended the program (SIGABRT)");
}

TimeLimit::TimeLimit(double seconds, std::function<void(const std::string&)> give_up)
    : limit_(seconds), give_up_(std::move(give_up)), began_(no_run) {
  time_limit = this;
  std::signal(SIGABRT, note_abort);
  if (seconds > 0) thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

TimeLimit::~TimeLimit() {
  std::signal(SIGABRT, SIG_DFL);
  time_limit = nullptr;
}

void TimeLimit::begin() { began_ = Clock::now().time_since_epoch().count(); }

void TimeLimit::end() {
  // Too late: the other thread records what happened, and ends the process.
  if (began_.exchange(no_run) == given_up)
    for (;;) ::pause();
}

void TimeLimit::watch(const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any wake;
  while (!stop.stop_requested()) {
    auto began = began_.load();
    const Clock::duration taken = Clock::now().time_since_epoch() - Clock::duration(began);
    if (began > no_run && taken > limit_ && began_.compare_exchange_strong(began, given_up))
      give_up_(concat("no answer within ", limit_.count(), " s (--watchdog)"));
    wake.wait_for(lock, stop, limit_ / 8, [] { return false; });
  }
}

bool claim_devices(const std::string& ids) {
  static std::set<std::string> claimed;  // which lasts as long as the process
  bool alone = true;
  std::istringstream joined(ids);
  for (std::string id; std::getline(joined, id, '+');)
    if (claimed.insert(id).second) alone &= claim_device(id);
  return alone;
}

}  // namespace ladder::bench
