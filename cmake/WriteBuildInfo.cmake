# cmake -DGIT= -DSOURCE= -DTEMPLATE= -DOUTPUT= -P WriteBuildInfo.cmake: puts the commit of SOURCE into TEMPLATE.
# Run at each build by cmake/BuildInfo.cmake. Rewrites OUTPUT only when its content changed.
cmake_minimum_required(VERSION 3.28)

# Only where SOURCE is itself the root of a checkout: an unpacked archive inside another project's checkout is not that
# project's commit.
set(commit "unknown")
if(GIT AND EXISTS "${SOURCE}/.git")
  # Dirty where tracked files differ: results that lie about do not change what was built.
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
