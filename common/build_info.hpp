#pragma once

#include <span>
#include <string_view>

namespace ladder {

/// Something that a part of this executable was built with: {"cuda", "flags", "-O3 -DNDEBUG"}.
struct BuildFact {
  std::string_view group, name, value;
};

/// What this executable was made of. A record carries it, since a number without its compiler and
/// flags cannot be compared with another.
struct BuildInfo {
  std::string_view version;  ///< of the project, "0.1.0"
  /// Short hash, "-dirty" behind it where tracked files differ; "unknown" outside git.
  std::string_view commit;
  std::string_view build_type;       ///< "Release"
  std::span<const BuildFact> facts;  ///< by CMake's ladder_build_fact()
};

/// The commit is asked for at each build, not at configuration: a record must not name yesterday's.
const BuildInfo& build_info();

}  // namespace ladder
