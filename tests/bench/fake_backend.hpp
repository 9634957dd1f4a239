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

/// "pretend": rungs r02, r04, r06 of the device ladder and a library rung that are right, and
/// test-only entries that are `wrong`, `throws`, `lets_go` (its hold always gives up) and `blocks`.
/// r04 carries no max; block 512 cannot be had.
std::unique_ptr<Backend> make_backend();
/// "absent": cannot be opened, with a sentence.
std::unique_ptr<Backend> make_absent();

}  // namespace ladder::fake
