#include "common/device/host/process_limits.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include <omp.h>
#include <strings.h>
#include <unistd.h>

#include "common/device/device.hpp"

namespace ladder::host {
namespace {

namespace fs = std::filesystem;

/// Passes the variables that `unbind` removed to the restarted program: "NAME=value NAME=value".
constexpr const char* replaced_variables = "LADDER_REPLACED_ENVIRONMENT";

/// Folders of this process's control groups with `controller`, of both versions, innermost first.
/// They need not exist: a container may mount its own group as the root.
std::vector<fs::path> groups_of(const std::string& controller, const fs::path& root) {
  std::vector<fs::path> groups;
  // Each line is "number:controllers:group"; version 2 names no controllers.
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string number, controllers, group; std::getline(file, number, ':') &&
                                               std::getline(file, controllers, ':') &&
                                               std::getline(file, group);) {
    const bool unified = controllers.empty();
    if (!unified && ("," + controllers + ",").find("," + controller + ",") == std::string::npos)
      continue;
    const fs::path mount = root / "sys/fs/cgroup" / (unified ? "" : controller);
    fs::path below = fs::path(group).relative_path();
    for (; !below.empty(); below = below.parent_path()) groups.push_back(mount / below);
    groups.push_back(mount);
  }
  return groups;
}

void append(std::string& list, const std::string& part) {
  list += (list.empty() ? "" : ", ") + part;
}

std::string text(double number) {
  std::ostringstream stream;
  stream.precision(3);
  stream << number;
  return stream.str();
}

}  // namespace

std::optional<std::uint64_t> number_in(const fs::path& path, std::string_view key) {
  std::ifstream file(path);
  std::string word;
  while (word != key && file >> word) {
  }
  std::uint64_t number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

Mask usable_cpus() {
  Mask usable = mask_of_caller();
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> cpus(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, cpus.data());
    for (const int cpu : cpus) {
      if (cpu >= 0) CPU_SET_S(static_cast<unsigned>(cpu), sizeof usable, usable.data());
    }
  }
  return usable;
}

bool unbind() {
  std::string replaced;
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || strcasecmp(value, "false") == 0) continue;
    replaced.append(replaced.empty() ? "" : " ").append(name).append("=").append(value);
    unsetenv(name);
  }
  if (replaced.empty()) return false;
  setenv("OMP_PROC_BIND", "false", 1);
  setenv(replaced_variables, replaced.c_str(), 1);
  set_mask_of_caller(usable_cpus());
  return true;
}

std::string openmp_environment() {
  std::set<std::string_view> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (variable.starts_with("OMP_") || variable.starts_with("GOMP_") ||
        variable.starts_with("KMP_"))
      all.insert(variable);
  }
  std::string words;
  for (const auto one : all) words += (words.empty() ? "" : " ") + std::string(one);
  if (words.empty()) words = "none";
  const char* replaced = std::getenv(replaced_variables);
  return replaced == nullptr ? words : words + ", in place of " + replaced;
}

std::optional<double> granted_processors(const fs::path& root) {
  std::optional<double> least;
  for (const auto& group : groups_of("cpu", root)) {
    std::string quota;  // no limit: "max" in version 2, -1 in version 1
    double period = 0;
    if (!(std::ifstream(group / "cpu.max") >> quota >> period)) {
      std::ifstream(group / "cpu.cfs_quota_us") >> quota;
      std::ifstream(group / "cpu.cfs_period_us") >> period;
    }
    const double time = std::strtod(quota.c_str(), nullptr);
    if (time > 0 && period > 0) least = std::min(time / period, least.value_or(time / period));
  }
  return least;
}

std::size_t free_memory(const fs::path& root) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  if (const auto kib = number_in(root / "proc/meminfo", "MemAvailable:")) least = *kib * 1024;
  for (const auto& group : groups_of("memory", root)) {
    const auto number = [&](const char* version_2, const char* version_1) {
      const auto found = number_in(group / version_2);
      return found ? found : number_in(group / version_1);
    };
    const auto limit = number("memory.max", "memory.limit_in_bytes");
    const auto usage = number("memory.current", "memory.usage_in_bytes");
    if (!limit || !usage) continue;
    auto droppable = number_in(group / "memory.stat", "total_inactive_file");  // version 1
    if (!droppable) droppable = number_in(group / "memory.stat", "inactive_file");
    const std::uint64_t used = *usage - std::min(*usage, droppable.value_or(0));
    least = std::min(least, *limit - std::min(*limit, used));
  }
  return least;
}

std::optional<unsigned> requested_workers(const char* omp_num_threads, unsigned usable) {
  const unsigned long count =
      omp_num_threads == nullptr ? 0 : std::strtoul(omp_num_threads, nullptr, 10);
  if (count == 0) return std::nullopt;
  if (count > usable) {
    throw NotPossible("OMP_NUM_THREADS=" + std::string(omp_num_threads) +
                      " asks for more workers than the " + std::to_string(usable) +
                      (usable == 1 ? " processor" : " processors") +
                      " that may be used here: set it to no more, or unset it");
  }
  return static_cast<unsigned>(count);
}

Workers ProcessLimits::workers() const {
  if (requested) return {*requested, "OMP_NUM_THREADS"};
  if (granted && *granted < cores)
    return {std::max(1U, static_cast<unsigned>(*granted)),
            "processor time granted by the control group"};
  return {cores, "one per core"};
}

std::string ProcessLimits::words() const {
  std::string words;
  if (online > usable)
    append(words, std::to_string(usable) + " of " + std::to_string(online) + " processors");
  if (granted && *granted < usable)
    append(words, "a quota of " + text(*granted) + " processors' time");
  if (requested) {
    append(words, std::to_string(*requested) + (*requested == 1 ? " worker" : " workers") +
                      " by default (OMP_NUM_THREADS)");
  }
  return words;
}

}  // namespace ladder::host
