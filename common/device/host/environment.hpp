#pragma once

// Environment variables that bind OpenMP threads. This program places its workers itself; a binding
// only restricts the usable CPUs.

#include <string>

namespace ladder::host {

/// Removes these variables from the environment and restores the calling thread's full set of CPUs.
/// Returns false if there are none. OpenMP's runtime reads them before main, so the program must
/// then be restarted.
bool unbind();

/// OpenMP's variables as its runtimes read them, and the values they replace: "OMP_PROC_BIND=false,
/// in place of OMP_PROC_BIND=close"; or "none".
std::string openmp_environment();

}  // namespace ladder::host
