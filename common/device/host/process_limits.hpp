#pragma once

// The part of the machine that this process may use: by its affinity mask, its control groups and
// its environment. `root` is where /proc and /sys are, for tests.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "common/device/host/pinning.hpp"

namespace ladder::host {

/// The number after the word `key` in a file of the kernel; without a key, the number that the file
/// begins with. Nothing where the file is missing or has another word there, as "max" for no limit.
std::optional<std::uint64_t> number_in(const std::filesystem::path& path,
                                       std::string_view key = {});

/// The CPUs that this process may run on. Where OpenMP was told to bind (OMP_PROC_BIND), the main
/// thread was put onto one place before main began, and the places together say what was there.
Mask usable_cpus();

/// The processors' worth of time that the control groups of this process and those above them
/// grant; nothing without a limit.
std::optional<double> granted_processors(const std::filesystem::path& root = "/");

/// Bytes that can be had without swapping or exceeding the limit of a control group. Page cache
/// that can be dropped counts as free.
std::size_t free_memory(const std::filesystem::path& root = "/");

/// The first number of OMP_NUM_THREADS; nothing where it is not set, or to what OpenMP does not
/// take either. Throws `NotPossible` where it is more than `usable`.
std::optional<unsigned> requested_workers(const char* omp_num_threads, unsigned usable);

/// How many workers there are by default, and why.
struct Workers {
  unsigned count = 1;
  std::string why;
};

/// What the process has.
struct ProcessLimits {
  unsigned usable = 1, cores = 1;     ///< processors of the mask, and cores that have one
  unsigned online = 1;                ///< processors of the machine
  std::optional<double> granted;      ///< processors' worth of time
  std::optional<unsigned> requested;  ///< by OMP_NUM_THREADS

  /// As requested, else one per core, or fewer where less time is granted.
  Workers workers() const;
  /// "2 of 8 processors, a quota of 1.5 processors' time"; empty where it is the whole machine.
  std::string words() const;
};

}  // namespace ladder::host
