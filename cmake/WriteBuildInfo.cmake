# cmake -DGIT= -DSOURCE= -DTEMPLATE= -DOUTPUT= -P WriteBuildInfo.cmake: inserts the commit of SOURCE into TEMPLATE.
# cmake/BuildInfo.cmake runs it at each build. Rewrites OUTPUT only if its content changed.
cmake_minimum_required(VERSION 3.28)

# Only if SOURCE is the root of a checkout: an archive unpacked inside another project's checkout does not have that project's
# commit.
set(commit "unknown")
if(GIT AND EXISTS "${SOURCE}/.git")
  # Only modified tracked files make it dirty: stray result files do not change the build.
  execute_process(
    COMMAND "${GIT}" --no-optional-locks -C "${SOURCE}" describe --always --dirty --abbrev=10 --exclude=*
    OUTPUT_VARIABLE found RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(commit "${found}")
  endif()
endif()

# `git archive` writes the commit into this file (.gitattributes).
if(commit STREQUAL "unknown" AND EXISTS "${SOURCE}/cmake/commit.txt")
  file(STRINGS "${SOURCE}/cmake/commit.txt" hash LIMIT_COUNT 1)
  if(hash MATCHES "^[0-9a-f]+$")
    string(SUBSTRING "${hash}" 0 10 commit)
  endif()
endif()

configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
