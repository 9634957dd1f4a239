#pragma once

// Files of choices for the tuned rung, as ./study tune writes them: docs/tuned.md has their form.

#include <string>

#include "bench/plan/plan.hpp"
#include "common/device/tuned.hpp"

namespace ladder::bench {

/// What a file says, for a device of that name and kind ("gpu" or "cpu"). Throws `UsageError` with
/// a sentence where it cannot be read, is none, or is of another device.
Tuned read_tuning(const std::string& path, const std::string& device,
                  const std::string& kind = "gpu");

/// Gives each device of the plan its choices: those of --tuning=FILE, which is refused where it is
/// of none of them; of several devices in one, whose parts take them all, it names what each is;
/// else those of $XDG_CONFIG_HOME/reduction-ladder/DEVICE.json, if it is there, DEVICE being the
/// device's name in small letters with _ for all that is no letter or digit.
void use_tuning(const Selection& selection, const Plan& plan);

}  // namespace ladder::bench
