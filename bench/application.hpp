#pragma once

#include <memory>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder::bench {

/// Runs the program with the given backends. Returns the exit status: 0 all results right; 1 a
/// result was wrong or a measurement failed; 2 the request cannot be run; 3 the device was lost,
/// and --resume skips the measurement that lost it.
int application(int argc, char** argv, const std::vector<std::unique_ptr<Backend>>& backends);

}  // namespace ladder::bench
