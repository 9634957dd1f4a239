#pragma once

#include <span>
#include <string_view>

namespace ladder {

/// One build setting of a part of this executable: {"cuda", "flags", "-O3 -DNDEBUG"}.
struct BuildFact {
  std::string_view group, name, value;
};

/// Build configuration of this executable. Records carry it, since a number without its compiler
/// and flags cannot be compared with another.
struct BuildInfo {
  std::string_view version;  ///< of the project, "0.1.0"
  /// Short hash, with suffix "-dirty" if tracked files differ; "unknown" outside git.
  std::string_view commit;
  std::string_view build_type;       ///< "Release"
  std::span<const BuildFact> facts;  ///< by CMake's ladder_build_fact()
};

/// Reads the commit at each build, not at configuration: a record must not have an outdated one.
const BuildInfo& build_info();

}  // namespace ladder
