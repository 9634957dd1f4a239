#pragma once

// What part of the machine this process was given: by its mask, its control group, its environment.

#include <filesystem>
#include <optional>
#include <string>

#include "common/device/device.hpp"
#include "common/device/host/pinning.hpp"

namespace ladder::host {

/// The variable that holds what the program took out of its environment when it started itself
/// again, as "NAME=value NAME=value".
inline constexpr const char* replaced_environment = "LADDER_REPLACED_ENVIRONMENT";

/// The CPUs that this process may run on. Where OpenMP was told to bind (OMP_PROC_BIND), the main
/// thread was put onto one place before main began, and the places together say what was there.
Mask usable_cpus();

/// The machine's processors; 0 where the kernel does not tell.
unsigned online_processors(const std::filesystem::path& root = "/");

/// The processors' worth of time that the control group and those above it grant; nothing where it
/// is not limited. Inside a container its own group is the root of what is mounted.
std::optional<double> granted_processors(const std::filesystem::path& root = "/");

/// The first number of OMP_NUM_THREADS; nothing where it is not set, or to what OpenMP does not
/// take either. Throws `NotPossible` where it is more than `usable`.
std::optional<unsigned> requested_workers(const char* omp_num_threads, unsigned usable);

/// How many workers there are by default, and why.
struct Workers {
  unsigned count = 1;
  std::string why;
};

/// What the process has.
struct Given {
  unsigned usable = 1, cores = 1;     ///< processors of the mask, and cores that have one
  unsigned online = 0;                ///< processors of the machine; 0: unknown
  std::optional<double> granted;      ///< processors' worth of time
  std::optional<unsigned> requested;  ///< by OMP_NUM_THREADS

  /// As requested, else one per core, or fewer where less time is granted.
  Workers workers() const;
  /// "2 of 8 processors, a quota of 1.5 processors' time"; empty where it is the whole machine.
  std::string words() const;
};

/// OpenMP's variables as its runtimes had them, and what they replace: "OMP_PROC_BIND=false, in
/// place of OMP_PROC_BIND=close"; or "none".
std::string openmp_environment();

}  // namespace ladder::host
