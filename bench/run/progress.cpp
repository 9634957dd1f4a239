#include <algorithm>
#include <cmath>
#include <iostream>

#include <unistd.h>

#include "bench/results/statistics.hpp"
#include "bench/run/supervision.hpp"
#include "bench/text.hpp"

namespace ladder::bench {

Progress::Progress(const Process& process)
    : which_(process.of > 1 ? concat("process ", process.index, " of ", process.of, ": ") : ""),
      terminal_(isatty(STDERR_FILENO) != 0) {}

void Progress::show(const std::string& line) {
  const std::size_t room = std::clamp<std::size_t>(columns_of(STDERR_FILENO), 9, 500) - 1;
  std::cerr << "\r\033[K" << (which_ + line).substr(0, room) << std::flush;
  shown_ = Clock::now();
}

void Progress::stage(const std::string& what) {
  end_where_interrupted();
  if (terminal_) show(what + " ...");
}

void Progress::expect(double seconds) {
  expected_ += seconds;
  begun_ = Clock::now();
}

void Progress::advance(double seconds, const std::string& what) {
  end_where_interrupted();
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
