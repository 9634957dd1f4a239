#pragma once

// The variables of the environment that bind OpenMP's threads: the workers' places are this
// program's to choose, and what binds them says only which CPUs may be used.

#include <string>

namespace ladder::host {

/// Removes these variables from the environment, and gives the calling thread back the CPUs that it
/// was bound to a part of. Returns false if there are none. OpenMP's runtime has read them before
/// main: the program has to be started again.
bool unbind();

/// OpenMP's variables as its runtimes had them, and what they replace: "OMP_PROC_BIND=false, in
/// place of OMP_PROC_BIND=close"; or "none".
std::string openmp_environment();

}  // namespace ladder::host
