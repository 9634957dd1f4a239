#pragma once

#include <memory>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder::bench {

/// The whole program over the given backends. Returns the exit status: 0 all measured and right; 1
/// something measured was wrong or failed; 2 it could not be run as asked.
int application(int argc, char** argv, const std::vector<std::unique_ptr<Backend>>& backends);

/// Starts this executable again where an environment variable that the runtimes read before main
/// must be set first (OMP_WAIT_POLICY=passive: idle threads of one runtime must not spin while
/// another is measured). Returns where nothing had to be set.
void settle_environment(char** argv);

}  // namespace ladder::bench
