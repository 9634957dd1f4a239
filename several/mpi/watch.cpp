#include "several/mpi/watch.hpp"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

namespace ladder::several {

Watch::Watch(std::string who, double patience)
    : who_(std::move(who)),
      patience_(patience),
      thread_([this](const std::stop_token& stopped) { look(stopped); }) {}

void Watch::look(const std::stop_token& stopped) const {
  while (!stopped.stop_requested()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto deadline = deadline_.load(std::memory_order_acquire);
    if (deadline == never || now() < deadline) continue;
    std::fprintf(stderr,
                 "ladder: %s has waited %g s longer than it should for %s: another rank is gone or "
                 "hangs. The records so far are kept.\n",
                 who_.c_str(), patience_, what_.load());
    std::fflush(nullptr);
    _exit(1);
  }
}

}  // namespace ladder::several
