#pragma once

// Ctrl-C and SIGTERM: the sample under way is finished, then the program says what was kept. So it
// does where it loses a device.

#include <functional>
#include <string>

namespace ladder::bench {

/// From now on SIGINT and SIGTERM are noted, unless who started the program ignores them; one that
/// comes more than a second behind the first ends it at once. `kept` says in a sentence what is
/// kept, and has to live until the end.
void note_interruptions(std::function<std::string()> kept);

/// Where one was noted: prints that sentence and ends the program with 128 and the signal's number.
/// To be called where everything that was measured has been recorded.
void end_where_interrupted();

/// The exit status of a process whose device was lost to it.
inline constexpr int lost_status = 3;

/// Says so, with `error` and what is kept, and ends the program with `lost_status`. Nothing is
/// freed: on a lost device that fails, or waits for it.
[[noreturn]] void end_as_lost(const std::string& error);

}  // namespace ladder::bench
