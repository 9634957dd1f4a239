#include "bench/run/progress.hpp"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include "bench/results/digits.hpp"
#include "bench/run/supervision.hpp"
#include "bench/text.hpp"

namespace ladder::bench {

Progress::Progress(const Process& process)
    : which_(process.of > 1 ? concat("process ", process.index, " of ", process.of, ": ") : ""),
      terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::show(const std::string& line) {
  const std::size_t room = std::clamp<std::size_t>(columns_of(STDERR_FILENO), 9, 500) - 1;
  std::fprintf(stderr, "\r\033[K%s", (which_ + line).substr(0, room).c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::stage(const std::string& what) {
  end_where_interrupted();
  if (terminal_) show(what + " ...");
}

void Progress::advance(double seconds, const std::string& what) {
  end_where_interrupted();
  const auto now = Clock::now();
  if (begun_ == Clock::time_point{})  // this sample has begun that long ago
    begun_ =
        now - std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  done_ += seconds;
  if (!terminal_ || now - last_ < std::chrono::milliseconds(200)) return;
  last_ = now;
  const double part = expected_ > 0 ? std::min(1.0, done_ / expected_) : 0;
  // The estimate by cost, corrected by how the samples so far have kept to it.
  const double spent = std::chrono::duration<double>(now - begun_).count();
  const double left = part > 0 ? spent / part * (1 - part) : 0;
  char head[16];
  std::snprintf(head, sizeof head, "[%3.0f %%, ", 100 * part);
  show(head + duration_text(left) + " left] " + what);
}

void Progress::clear() {
  if (terminal_ && shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace ladder::bench
