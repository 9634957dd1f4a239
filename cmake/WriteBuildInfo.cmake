# cmake -DGIT= -DSOURCE= -DVALUES= -DTEMPLATE= -DOUTPUT= -P WriteBuildInfo.cmake
# Run at each build by cmake/BuildInfo.cmake. Rewrites OUTPUT only when its content changed.
cmake_minimum_required(VERSION 3.28)

foreach(name version build_type cxx_compiler cxx_flags sanitize cpu_arch cuda_compiler cuda_flags cuda_architectures
             hip hip_platform hip_source hip_compiler hip_flags hip_architectures
             kokkos kokkos_source kokkos_devices kokkos_arch)
  set(${name} "")
endforeach()
file(STRINGS "${VALUES}" lines)
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([a-z_]+)=(.*)$" _ "${line}")
  set(name "${CMAKE_MATCH_1}")
  set(value "${CMAKE_MATCH_2}")
  string(STRIP "${value}" value)
  string(REGEX REPLACE " +" " " value "${value}")
  string(REPLACE "\\" "\\\\" value "${value}")
  string(REPLACE "\"" "\\\"" value "${value}")
  set(${name} "${value}")
endforeach()
if(sanitize)
  string(APPEND cxx_flags " ${sanitize}")
endif()

# Only where SOURCE is itself the root of a checkout: an unpacked archive inside another project's checkout is not that
# project's commit.
set(commit "unknown")
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(
    COMMAND "${GIT}" -C "${SOURCE}" rev-parse --short=10 HEAD
    OUTPUT_VARIABLE hash RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(commit "${hash}")
    # Tracked files alone: results that lie about do not change what was built.
    execute_process(
      COMMAND "${GIT}" -C "${SOURCE}" --no-optional-locks status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
    if(failed OR NOT changes STREQUAL "")
      string(APPEND commit "-dirty")
    endif()
  endif()
endif()

configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
