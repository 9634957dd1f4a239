#pragma once

// A backend without a device. It computes on the host, tells the time that it likes, and keeps a
// log of what the harness asked of it, so that the order of things can be checked.

#include <memory>
#include <string>
#include <vector>

#include "common/backend.hpp"

namespace ladder::fake {

/// What went through the interface, one word a call, since the last `clear`.
std::vector<std::string>& log();

/// "pretend", with 4 multiprocessors: rungs r02, r04, r06, r07, r08, r11, r12, r15 of the device
/// ladder and a library rung that are right, and test-only entries that are `wrong`, `wrong_at_64`
/// (threads in a block), `throws`, `lets_go` (its hold always gives up) and `blocks`. From r07 on,
/// rungs are fastest in blocks of 128, with 16 elements per thread, in a grid of 64. r04 carries no
/// max; blocks of 512, and of more than 2^16 elements together, cannot be had.
std::unique_ptr<Backend> make_backend();
/// "absent": cannot be opened, with a sentence.
std::unique_ptr<Backend> make_absent();
/// "serial": blocks, has no device timer and none of the device ladder's rungs.
std::unique_ptr<Backend> make_serial();

}  // namespace ladder::fake
