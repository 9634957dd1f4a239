#pragma once

#include <string_view>

namespace ladder {

// What this executable was made of. A record carries it, since a number without its compiler and flags cannot be
// compared with another.
struct BuildInfo {
  std::string_view version;             // of the project, say 0.1.0
  std::string_view commit;              // short hash, "-dirty" behind it where sources differ; "unknown" outside git
  std::string_view build_type;          // Release, Debug, …
  std::string_view cxx_compiler;        // id and version, say "GNU 12.2.0"
  std::string_view cxx_flags;           // of the build type; -march is apart, since only cpu/ is compiled with it
  std::string_view cpu_arch;            // -march of cpu/; for native also what the compiler took it for
  std::string_view cuda_compiler;       // id and version; empty without CUDA
  std::string_view cuda_flags;          // of the build type; empty without CUDA
  std::string_view cuda_architectures;  // as CMAKE_CUDA_ARCHITECTURES says them; empty without CUDA
};

// The commit is asked for at each build, not at configuration: a record must not name yesterday's.
const BuildInfo& build_info();

}  // namespace ladder
