#pragma once

// The part of the machine that this process may use, by affinity mask, control groups and
// environment. `root` contains /proc and /sys; tests replace it.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "common/device/host/pinning.hpp"

namespace ladder::host {

/// Number after the word `key` in a kernel file; without a key, the number at its start. Empty if
/// the file is missing or has another word there, such as "max" for no limit.
std::optional<std::uint64_t> number_in(const std::filesystem::path& path,
                                       std::string_view key = {});

/// CPUs that this process may run on. If OpenMP binds threads (OMP_PROC_BIND), the main thread is
/// on one place before main begins; the union of all places is the original set.
Mask usable_cpus();

/// Removes the variables that bind OpenMP's threads from the environment and restores the calling
/// thread's full set of CPUs. This program places its workers itself; a binding only restricts the
/// usable CPUs. Returns false if there are none. OpenMP's runtime reads them before main, so the
/// program must then be restarted.
bool unbind();

/// OpenMP's variables as its runtimes read them, and the values they replace: "OMP_PROC_BIND=false,
/// in place of OMP_PROC_BIND=close"; or "none".
std::string openmp_environment();

/// Processor time granted by this process's control groups and their ancestors, in processors;
/// empty if unlimited.
std::optional<double> granted_processors(const std::filesystem::path& root = "/");

/// Bytes available without swapping or exceeding a control group's limit. Droppable page cache
/// counts as free.
std::size_t free_memory(const std::filesystem::path& root = "/");

/// First number of OMP_NUM_THREADS; empty if it is unset or OpenMP rejects it too. Throws
/// `NotPossible` if it exceeds `usable`.
std::optional<unsigned> requested_workers(const char* omp_num_threads, unsigned usable);

/// Default number of workers, and the reason.
struct Workers {
  unsigned count = 1;
  std::string why;
};

/// Limits of this process.
struct ProcessLimits {
  unsigned usable = 1, cores = 1;     ///< processors of the mask, and cores with one
  unsigned online = 1;                ///< processors of the machine
  std::optional<double> granted;      ///< processor time, in processors
  std::optional<unsigned> requested;  ///< from OMP_NUM_THREADS

  /// The requested number, else one per core, or fewer if less time is granted.
  Workers workers() const;
  /// "2 of 8 processors, a quota of 1.5 processors' time"; empty for the whole machine.
  std::string words() const;
};

}  // namespace ladder::host
