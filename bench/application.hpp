#pragma once

#include <memory>
#include <vector>

#include "common/model/backend.hpp"

namespace ladder::bench {

/// The whole program over the given backends. Returns the exit status: 0 all measured and right; 1
/// something measured was wrong or failed; 2 it could not be run as asked; 3 a device was lost to
/// this process, and --resume goes on behind what lost it.
int application(int argc, char** argv, const std::vector<std::unique_ptr<Backend>>& backends);

/// Starts this executable again where the runtimes, which read the environment before main, would
/// not let it measure as it should. Idle threads of one runtime must not spin while another is
/// measured (OMP_WAIT_POLICY=passive), and the workers' places are this program's to choose: what
/// binds OpenMP's threads (OMP_PROC_BIND, OMP_PLACES) says only which CPUs may be used. Returns
/// where nothing had to be changed.
void settle_environment(char** argv);

}  // namespace ladder::bench
