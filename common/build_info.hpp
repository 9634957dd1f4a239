#pragma once

#include <string_view>

namespace ladder {

/// What this executable was made of. A record carries it, since a number without its compiler and
/// flags cannot be compared with another.
struct BuildInfo {
  std::string_view version;  ///< of the project, "0.1.0"
  /// Short hash, "-dirty" behind it where tracked files differ; "unknown" outside git.
  std::string_view commit;
  std::string_view build_type;    ///< "Release"
  std::string_view cxx_compiler;  ///< id and version, "GNU 12.2.0"
  /// Of the build type. -march is apart: only what is measured on the CPU is compiled with it.
  std::string_view cxx_flags;
  /// That -march; for native also what the compiler took it for, "native (znver3)".
  std::string_view cpu_arch;
  std::string_view cuda_compiler;       ///< id and version; empty without CUDA
  std::string_view cuda_flags;          ///< of the build type; empty without CUDA
  std::string_view cuda_architectures;  ///< "90"; empty without CUDA
  std::string_view hip;                 ///< version, "5.2.21153"; empty without HIP
  std::string_view hip_platform;        ///< "amd" or "nvidia"; empty without HIP
  std::string_view hip_source;          ///< "ROCm at /opt/rocm, clang 18.0.0"; empty without HIP
  std::string_view hip_compiler;        ///< id and version, "Clang 18.0.0"; empty without HIP
  std::string_view hip_flags;           ///< of the build type; empty without HIP
  std::string_view hip_architectures;   ///< "gfx90a", on nvidia "90"; empty without HIP
  std::string_view kokkos;              ///< version, "5.0.2"; empty without Kokkos
  std::string_view kokkos_source;       ///< "built from the 5.0.2 release"; empty without Kokkos
  std::string_view kokkos_devices;      ///< "cuda,openmp,serial"; empty without Kokkos
  std::string_view kokkos_arch;         ///< as Kokkos names it, "HOPPER90"; may be empty
};

/// The commit is asked for at each build, not at configuration: a record must not name yesterday's.
const BuildInfo& build_info();

}  // namespace ladder
