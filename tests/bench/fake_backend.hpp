#pragma once

// Backends on a device that does not exist. They compute on the host, tell the time that they like,
// and keep a log of what the harness asked of them, so that the order of things can be checked.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder::fake {

/// What went through the interface, one word a call, since the last `clear`.
std::vector<std::string>& log();

/// With the environment's FAKE_ENERGY their device counts its energy, 50 W idle and 200 W busy, by
/// a clock of its own on which a run takes ten thousand times what it claims; "still": it counts
/// nothing.
///
/// Rungs r02, r04, r06, r07, r08, r11, r12, r15 of the device ladder and a library rung that are
/// right, on a device "fake:0" with 4 SMs that all such backends share, and test-only entries that
/// are `open_nan` (ignores NaN, as declared), `ignores_nan` (without a word), `wrong`,
/// `wrong_at_64` (threads per block), `throws`, `lets_go` (its hold always gives up), `loses` (the
/// device), `spins` (20 s), `aborts` (the program), `blocks` and `refused` (by `prepare`). From r07
/// on, rungs are fastest in blocks of 128, with 16 elements per thread, in a grid of 64. r04
/// carries no max; blocks of 512, and of more than 2^16 elements together, cannot be had. r23 needs
/// compute capability 9.0, the device has 8.0. FAKE_LOST loses it at any call, FAKE_THROTTLED
/// throttles it, and FAKE_KIND=cpu makes it a CPU (fake_rungs.hpp, fake_device.hpp).
std::unique_ptr<Backend> make_backend(std::string_view name = "fake");
/// "absent": cannot be opened, with a sentence.
std::unique_ptr<Backend> make_absent();
/// "apart": has the tuned rung alone, on a device "apart:0" of its own, so that several of them are
/// several devices. Each takes FAKE_LET_GO milliseconds to be let go.
std::unique_ptr<Backend> make_apart();
/// "serial": blocks, has a device without a timer and none of the device ladder's rungs.
std::unique_ptr<Backend> make_serial();

}  // namespace ladder::fake
