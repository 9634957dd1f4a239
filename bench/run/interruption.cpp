#include "bench/run/interruption.hpp"

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <utility>

#include <unistd.h>

namespace ladder::bench {
namespace {

// All that a handler may write to.
volatile std::sig_atomic_t noted = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

std::function<std::string()>& what_is_kept() {
  static std::function<std::string()> kept;
  return kept;
}

extern "C" void note(int signal) {
  noted = signal;
  constexpr char words[] = "\nladder: stopping after what is under way (once more: at once)\n";
  // Nothing can be done where even that cannot be told.
  if (write(STDERR_FILENO, words, sizeof words - 1) < 0) return;
}

}  // namespace

void note_interruptions(std::function<std::string()> kept) {
  what_is_kept() = std::move(kept);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    struct sigaction ours {};
    ours.sa_handler = note;
    ours.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &ours, nullptr);
  }
}

void end_where_interrupted() {
  if (noted == 0) return;
  std::cout.flush();
  std::cerr << "ladder: stopped by " << (noted == SIGINT ? "Ctrl-C" : "SIGTERM") << "; "
            << what_is_kept()() << std::endl;
  std::_Exit(128 + noted);  // Google Benchmark cannot be left in the middle
}

void end_as_lost(const std::string& error) {
  std::cout.flush();
  std::cerr << "ladder: failed: " << error << "; "
            << (what_is_kept() ? what_is_kept()() : "nothing is kept") << std::endl;
  std::_Exit(lost_status);
}

}  // namespace ladder::bench
