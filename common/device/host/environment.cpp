#include "common/device/host/environment.hpp"

#include <cstdlib>
#include <set>
#include <string_view>

#include <strings.h>
#include <unistd.h>

#include "common/device/host/process_limits.hpp"

namespace ladder::host {
namespace {

/// Passes the variables that `unbind` removed to the restarted program: "NAME=value NAME=value".
constexpr const char* replaced_variables = "LADDER_REPLACED_ENVIRONMENT";

}  // namespace

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

}  // namespace ladder::host
