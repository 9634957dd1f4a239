#pragma once

#include <memory>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder::bench {

/// The whole program over the given backends. Returns the exit status: 0 all measured and right; 1
/// something measured was wrong or failed; 2 it could not be run as asked; 3 a device was lost to
/// this process, and --resume skips the measurement that lost it.
int application(int argc, char** argv, const std::vector<std::unique_ptr<Backend>>& backends);

}  // namespace ladder::bench
