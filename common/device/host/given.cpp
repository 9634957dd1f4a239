#include "common/device/host/given.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include <omp.h>
#include <unistd.h>

#include "common/device/host/groups.hpp"

namespace ladder::host {
namespace {

namespace fs = std::filesystem;

/// Quota by period in such a group; nothing where there is none.
std::optional<double> granted_in(const fs::path& folder, bool unified) {
  std::string quota;
  double period = 0;
  if (unified) {
    std::ifstream(folder / "cpu.max") >> quota >> period;
  } else {
    std::ifstream(folder / "cpu.cfs_quota_us") >> quota;
    std::ifstream(folder / "cpu.cfs_period_us") >> period;
  }
  const double time = std::strtod(quota.c_str(), nullptr);  // "max" and -1: no limit
  return time > 0 && period > 0 ? std::optional(time / period) : std::nullopt;
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

unsigned online_processors(const fs::path& root) {
  // "0-3,8"
  std::ifstream file(root / "sys/devices/system/cpu/online");
  unsigned count = 0;
  for (std::string part; std::getline(file, part, ',');) {
    unsigned first = 0, last = 0;
    const int found = std::sscanf(part.c_str(), "%u-%u", &first, &last);
    if (found == 1) ++count;
    if (found == 2 && last >= first) count += last - first + 1;
  }
  return count;
}

std::optional<double> granted_processors(const fs::path& root) {
  std::optional<double> least;
  const auto take = [&](const fs::path& folder, bool unified) {
    const auto granted = granted_in(folder, unified);
    if (granted && (!least || *granted < *least)) least = granted;
  };
  for (const auto& groups : groups_of("cpu", root)) {
    for (const auto& folder : groups.folders) take(folder, groups.unified);
  }
  return least;
}

std::optional<unsigned> requested_workers(const char* omp_num_threads, unsigned usable) {
  const std::string_view given = omp_num_threads == nullptr ? "" : omp_num_threads;
  const auto list = given.substr(std::min(given.size(), given.find_first_not_of(" \t")));
  unsigned count = 0;
  const auto [end, error] = std::from_chars(list.data(), list.data() + list.size(), count);
  const bool too_many = error == std::errc::result_out_of_range;
  if (!too_many && (error != std::errc{} || count == 0)) return std::nullopt;
  if (too_many || count > usable) {
    throw NotPossible("OMP_NUM_THREADS=" + std::string(given) + " asks for more workers than the " +
                      std::to_string(usable) + (usable == 1 ? " processor" : " processors") +
                      " that may be used here: set it to no more, or unset it");
  }
  return count;
}

Workers Given::workers() const {
  if (requested) return {*requested, "OMP_NUM_THREADS"};
  if (granted && *granted < cores)
    return {std::max(1U, static_cast<unsigned>(*granted)),
            "processor time granted by the control group"};
  return {cores, "one per core"};
}

std::string Given::words() const {
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

std::string openmp_environment() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (variable.starts_with("OMP_") || variable.starts_with("GOMP_") ||
        variable.starts_with("KMP_"))
      all.emplace_back(variable);
  }
  std::ranges::sort(all);
  std::string words;
  for (const auto& one : all) words += (words.empty() ? "" : " ") + one;
  if (words.empty()) words = "none";
  const char* replaced = std::getenv(replaced_environment);
  return replaced == nullptr ? words : words + ", in place of " + replaced;
}

}  // namespace ladder::host
