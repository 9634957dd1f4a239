#pragma once

// Backends on a simulated device. They compute on the host, report made-up times, and log the
// harness's calls, so that tests can check their order.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder::fake {

/// Calls through the interface since the last `clear`, one word per call.
std::vector<std::string>& log();

/// If the environment has FAKE_ENERGY, the device counts its energy: 50 W idle, 200 W busy. Its own
/// clock runs 10000 times as long as a rung claims. "still": the counter never changes.
///
/// Backend on the device "fake:0" (4 SMs), which all such backends share. It has right rungs: r02,
/// r04, r06, r07, r08, r11, r12, r15 of the device ladder and a library rung. Test-only entries:
/// `open_nan` (ignores NaN, as declared), `ignores_nan` (undeclared), `wrong`, `wrong_at_64`
/// (threads per block), `throws`, `lets_go` (its hold always times out), `loses` (the device),
/// `spins` (20 s), `aborts` (the program), `blocks` and `refused` (by `prepare`). From r07 on,
/// rungs are fastest in blocks of 128, with 16 elements per thread, in a grid of 64. r04 carries no
/// max. Blocks of 512 threads, or of more than 2^16 elements, are not possible. r23 needs compute
/// capability 9.0; the device has 8.0. FAKE_LOST loses it at any call, FAKE_THROTTLED throttles it,
/// and FAKE_KIND=cpu makes it a CPU (fake_rungs.hpp, fake_device.hpp).
std::unique_ptr<Backend> make_backend(std::string_view name = "fake");
/// "absent": cannot be opened, and returns a reason.
std::unique_ptr<Backend> make_absent();
/// "apart": has only the tuned rung, on its own device "apart:0", so that several of them are
/// several devices. `let_go` takes FAKE_LET_GO milliseconds on each.
std::unique_ptr<Backend> make_apart();
/// "serial": blocks, has a device without a timer and none of the device ladder's rungs.
std::unique_ptr<Backend> make_serial();

}  // namespace ladder::fake
