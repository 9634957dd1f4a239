# Every library that the project needs, found the first time that a folder asks for it with ladder_need_<library>():
# a folder that is not built asks for nothing.
#
# What the system has comes first (find_package). Else the library's source is fetched at a pinned version with a pinned
# hash, where building it from source is a matter of seconds. Else one sentence says what to install. Without network,
# LADDER_<LIBRARY>_ARCHIVE (a CMake variable or an environment variable) names a copy of that same archive.

include(FetchContent)

# The least version of each package, for find_package here and in cmake/Look.cmake, which tells ./study what is found.
set(LADDER_LEAST_benchmark 1.7)
set(LADDER_LEAST_GTest "")
set(LADDER_LEAST_CLI11 2.1)
set(LADDER_LEAST_nlohmann_json 3.10)
set(LADDER_LEAST_hwy 1.0.3)
set(LADDER_LEAST_TBB "")
set(LADDER_LEAST_Eigen3 3.4)
set(LADDER_LEAST_rapidcheck "") # its package tells no version
set(LADDER_LEAST_hwloc 2.0) # by pkg-config

# A target found in one folder is used by the folders that link this one.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)

# ladder_debian_mirrors(<list>): appends each address on deb.debian.org as the mirror has it that apt is set up for, which
# may be the only one that can be reached.
function(ladder_debian_mirrors list)
  execute_process(
    COMMAND apt-get indextargets --format "$(REPO_URI)" OUTPUT_VARIABLE roots RESULT_VARIABLE failed ERROR_QUIET)
  if(failed)
    return()
  endif()
  string(REGEX MATCHALL "https?://[^\n]*/debian/" roots "${roots}")
  list(REMOVE_DUPLICATES roots)
  set(urls "${${list}}")
  foreach(url IN LISTS ${list})
    if(url MATCHES "^https://deb\\.debian\\.org/debian/(.*)$")
      foreach(root IN LISTS roots)
        list(APPEND urls "${root}${CMAKE_MATCH_1}")
      endforeach()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES urls)
  set(${list} "${urls}" PARENT_SCOPE)
endfunction()

# ladder_fetch(NAME VERSION <version> SHA256 <hash>... INSTALL <what to install instead> URLS <url>...)
# The second place to ask is Debian, which keeps the same archives, byte for byte, as the originals of its packages (of
# CLI11 it keeps a copy without the bundled documentation, hence a second hash). One of the hashes has to fit.
# Downloads by hand and gives FetchContent a file: its own download fails with a hundred lines, this one with a sentence.
function(ladder_fetch name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "VERSION;INSTALL" "SHA256;URLS")
  string(TOUPPER "${name}" upper)

  if(NOT FETCHCONTENT_SOURCE_DIR_${upper})
    set(archive "${LADDER_${upper}_ARCHIVE}")
    if(NOT archive)
      set(archive "$ENV{LADDER_${upper}_ARCHIVE}")
    endif()
    set(problem "")
    if(archive)
      if(NOT EXISTS "${archive}" OR IS_DIRECTORY "${archive}")
        message(FATAL_ERROR
          "LADDER_${upper}_ARCHIVE names ${archive}, where there is no file: name a copy of the source archive of "
          "${name} ${arg_VERSION} there, or unset it to have that downloaded.")
      endif()
      file(SHA256 "${archive}" got)
      if(NOT got IN_LIST arg_SHA256)
        list(JOIN arg_SHA256 " or " wanted)
        message(FATAL_ERROR
          "LADDER_${upper}_ARCHIVE names ${archive}, which is not the source archive of ${name} ${arg_VERSION}: its "
          "SHA-256 is ${got}, not ${wanted}.")
      endif()
    else()
      set(archive "${PROJECT_BINARY_DIR}/archives/${name}-${arg_VERSION}.tar.gz")
      if(EXISTS "${archive}")
        file(SHA256 "${archive}" got)
      endif()
      if(NOT got IN_LIST arg_SHA256 AND FETCHCONTENT_FULLY_DISCONNECTED)
        set(problem "FETCHCONTENT_FULLY_DISCONNECTED is set")
      endif()
      if(NOT got IN_LIST arg_SHA256 AND NOT problem)
        ladder_debian_mirrors(arg_URLS)
      endif()
      foreach(url IN LISTS arg_URLS)
        if(got IN_LIST arg_SHA256 OR problem STREQUAL "FETCHCONTENT_FULLY_DISCONNECTED is set")
          break()
        endif()
        message(STATUS "Downloading ${name} ${arg_VERSION}: ${url}")
        file(DOWNLOAD "${url}" "${archive}" STATUS status TIMEOUT 300 INACTIVITY_TIMEOUT 30)
        list(GET status 0 failed)
        list(GET status 1 problem)
        if(failed)
          file(REMOVE "${archive}")
        else()
          file(SHA256 "${archive}" got)
          if(NOT got IN_LIST arg_SHA256)
            set(problem "SHA-256 mismatch: ${got}")
            file(REMOVE "${archive}")
          endif()
        endif()
      endforeach()
      if(NOT got IN_LIST arg_SHA256)
        message(FATAL_ERROR
          "${name} is not installed and could not be downloaded (${problem}): install it (${arg_INSTALL}), or name a copy "
          "of its ${arg_VERSION} source archive in LADDER_${upper}_ARCHIVE.")
      endif()
    endif()
    FetchContent_Declare(
      ${name} SYSTEM EXCLUDE_FROM_ALL
      URL "${archive}"
      URL_HASH SHA256=${got}
      DOWNLOAD_EXTRACT_TIMESTAMP FALSE)
  else()
    FetchContent_Declare(${name} SYSTEM EXCLUDE_FROM_ALL)
  endif()

  # These releases ask for a CMake older than today's CMake still imitates.
  set(CMAKE_POLICY_VERSION_MINIMUM 3.10)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # their option() takes the values that are set here
  if(NOT name STREQUAL "kokkos") # which has a state and code for the device: in a library of its own, as ours are
    set(BUILD_SHARED_LIBS OFF)
  endif()
  set(BUILD_TESTING OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS OFF)
  set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)
  FetchContent_MakeAvailable(${name})
endfunction()

# benchmark::benchmark
function(ladder_need_benchmark)
  if(TARGET benchmark::benchmark)
    return()
  endif()
  find_package(benchmark ${LADDER_LEAST_benchmark} CONFIG QUIET)
  if(NOT benchmark_FOUND)
    set(BENCHMARK_ENABLE_TESTING OFF)
    set(BENCHMARK_ENABLE_INSTALL OFF)
    set(BENCHMARK_ENABLE_WERROR OFF)
    ladder_fetch(
      benchmark
      VERSION 1.7.1
      SHA256 6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7
      INSTALL "Debian and Ubuntu: libbenchmark-dev"
      URLS https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz
           https://deb.debian.org/debian/pool/main/b/benchmark/benchmark_1.7.1.orig.tar.gz)
  endif()
endfunction()

# GTest::gtest, GTest::gtest_main, GTest::gmock
function(ladder_need_gtest)
  if(TARGET GTest::gtest)
    return()
  endif()
  find_package(GTest CONFIG QUIET)
  if(NOT GTest_FOUND)
    set(INSTALL_GTEST OFF)
    ladder_fetch(
      googletest
      VERSION 1.12.1
      SHA256 81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2
      INSTALL "Debian and Ubuntu: libgtest-dev libgmock-dev; or configure with -DBUILD_TESTING=OFF"
      URLS https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz
           https://deb.debian.org/debian/pool/main/g/googletest/googletest_1.12.1.orig.tar.gz)
  endif()
endfunction()

# rapidcheck, what draws the cases of the properties. It has no releases: this is the commit of Debian's package, whose
# archive of the source is pinned by the hash that Debian signs.
function(ladder_need_rapidcheck)
  if(TARGET rapidcheck)
    return()
  endif()
  find_package(rapidcheck CONFIG QUIET)
  if(NOT TARGET rapidcheck)
    set(RC_INSTALL_ALL_EXTRAS OFF)
    ladder_fetch(
      rapidcheck
      VERSION 08b5058
      SHA256 ebb215f93a10cf1c48367b7fdd33dbba68724ead11126b94eeefa215a20bebf4
      INSTALL "Debian and Ubuntu: librapidcheck-dev; or configure with -DBUILD_TESTING=OFF"
      URLS https://deb.debian.org/debian/pool/main/r/rapidcheck/rapidcheck_0~1033-08b5058.orig.tar.xz)
  endif()
endfunction()

# CLI11::CLI11
function(ladder_need_cli11)
  if(TARGET CLI11::CLI11)
    return()
  endif()
  find_package(CLI11 ${LADDER_LEAST_CLI11} CONFIG QUIET)
  if(NOT CLI11_FOUND)
    set(CLI11_PRECOMPILED OFF)
    ladder_fetch(
      cli11
      VERSION 2.1.2
      SHA256 26291377e892ba0e5b4972cdfd4a2ab3bf53af8dac1f4ea8fe0d1376b625c8cb
             8143d20b688e98ccce8e24562d3b68e5f47c12e896c42c7ca8553dbde5bed55d
      INSTALL "Debian and Ubuntu: libcli11-dev"
      URLS https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.1.2.tar.gz
           https://deb.debian.org/debian/pool/main/c/cli11/cli11_2.1.2+ds.orig.tar.xz)
  endif()
endfunction()

# nlohmann_json::nlohmann_json
function(ladder_need_json)
  if(TARGET nlohmann_json::nlohmann_json)
    return()
  endif()
  find_package(nlohmann_json ${LADDER_LEAST_nlohmann_json} CONFIG QUIET)
  if(NOT nlohmann_json_FOUND)
    set(JSON_BuildTests OFF)
    set(JSON_Install OFF)
    ladder_fetch(
      nlohmann_json
      VERSION 3.11.2
      SHA256 d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273
      INSTALL "Debian and Ubuntu: nlohmann-json3-dev"
      URLS https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz
           https://deb.debian.org/debian/pool/main/n/nlohmann-json3/nlohmann-json3_3.11.2.orig.tar.gz)
  endif()
endfunction()

# hwy::hwy, what the CPU's rungs from c08 on and the host's ceiling are vectorized with.
function(ladder_need_highway)
  if(TARGET hwy::hwy)
    return()
  endif()
  find_package(hwy ${LADDER_LEAST_hwy} CONFIG QUIET)
  if(NOT TARGET hwy::hwy)
    set(HWY_ENABLE_CONTRIB OFF)
    set(HWY_ENABLE_EXAMPLES OFF)
    set(HWY_ENABLE_INSTALL OFF)
    set(HWY_ENABLE_TESTS OFF)
    ladder_fetch(
      highway
      VERSION 1.0.3
      SHA256 566fc77315878473d9a6bd815f7de78c73734acdcb745c3dde8579560ac5440e
      INSTALL "Debian and Ubuntu: libhwy-dev"
      URLS https://github.com/google/highway/archive/refs/tags/1.0.3.tar.gz
           https://deb.debian.org/debian/pool/main/h/highway/highway_1.0.3.orig.tar.gz)
    add_library(hwy::hwy ALIAS hwy)
  endif()
endfunction()

# PkgConfig::hwloc. No backend on the CPU can do without: they pin their workers by the topology.
function(ladder_need_hwloc)
  if(TARGET PkgConfig::hwloc)
    return()
  endif()
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(hwloc QUIET IMPORTED_TARGET GLOBAL hwloc>=${LADDER_LEAST_hwloc})
  endif()
  if(NOT TARGET PkgConfig::hwloc)
    message(FATAL_ERROR
      "The CPU backend and Kokkos need hwloc 2 and pkg-config to find it: install them (Debian and Ubuntu: libhwloc-dev "
      "pkg-config), or configure without those backends (-DLADDER_CPU=OFF -DLADDER_KOKKOS=OFF).")
  endif()
endfunction()

# OpenMP::OpenMP_CXX
function(ladder_need_openmp)
  if(TARGET OpenMP::OpenMP_CXX)
    return()
  endif()
  find_package(OpenMP COMPONENTS CXX QUIET)
  if(NOT OpenMP_CXX_FOUND)
    message(FATAL_ERROR
      "The CPU backend and Kokkos need OpenMP, which ${CMAKE_CXX_COMPILER} does not offer: use GCC, or install LLVM's "
      "libomp for clang (Debian and Ubuntu: libomp-dev), or configure without those backends (-DLADDER_CPU=OFF "
      "-DLADDER_KOKKOS=OFF).")
  endif()
endfunction()

# TBB::tbb and LADDER_HAVE_TBB: what std::execution::par_unseq runs on. A library rung is left out without it, no more.
function(ladder_need_tbb)
  if(NOT TARGET TBB::tbb)
    find_package(TBB CONFIG QUIET)
    if(NOT TARGET TBB::tbb)
      message(STATUS
        "oneTBB not found (Debian and Ubuntu: libtbb-dev): the CPU library rung std::reduce is left out.")
    endif()
  endif()
  if(TARGET TBB::tbb)
    set(LADDER_HAVE_TBB ON CACHE INTERNAL "")
  else()
    set(LADDER_HAVE_TBB OFF CACHE INTERNAL "")
  endif()
endfunction()

# MPI::MPI_CXX, LADDER_HAVE_MPI, and what it is in LADDER_MPI_SAID: for the rungs of several processes.
function(ladder_need_mpi)
  if(NOT TARGET MPI::MPI_CXX)
    set(MPI_CXX_SKIP_MPICXX ON)
    find_package(MPI COMPONENTS CXX QUIET GLOBAL)
    if(NOT TARGET MPI::MPI_CXX)
      message(STATUS
        "MPI not found (Debian and Ubuntu: libopenmpi-dev openmpi-bin): the rungs of several processes are left out.")
    endif()
  endif()
  if(TARGET MPI::MPI_CXX)
    set(LADDER_HAVE_MPI ON CACHE INTERNAL "")
    set(LADDER_MPI_SAID "MPI ${MPI_CXX_VERSION}" CACHE INTERNAL "")
  else()
    set(LADDER_HAVE_MPI OFF CACHE INTERNAL "")
  endif()
endfunction()

# _ladder_find_collectives(NCCL nccl.h nccl): LADDER_NCCL_INCLUDE_DIR, LADDER_NCCL_LIBRARY and LADDER_NCCL_VERSION, where it is
# found: the system's, or that of NCCL_ROOT, or in one of the folders that follow.
macro(_ladder_find_collectives name header library)
  find_path(LADDER_${name}_INCLUDE_DIR ${header} HINTS "$ENV{${name}_ROOT}" "${${name}_ROOT}" ${ARGN} PATH_SUFFIXES include)
  find_library(LADDER_${name}_LIBRARY NAMES ${library} lib${library}.so.2 lib${library}.so.1
               HINTS "$ENV{${name}_ROOT}" "${${name}_ROOT}" ${ARGN} PATH_SUFFIXES lib)
  mark_as_advanced(LADDER_${name}_INCLUDE_DIR LADDER_${name}_LIBRARY)
  set(LADDER_${name}_VERSION "")
  if(LADDER_${name}_INCLUDE_DIR AND LADDER_${name}_LIBRARY)
    foreach(_part MAJOR MINOR PATCH)
      file(STRINGS "${LADDER_${name}_INCLUDE_DIR}/${header}" _line REGEX "^#define NCCL_${_part} +[0-9]+")
      string(REGEX REPLACE ".* " "" _line "${_line}")
      list(APPEND LADDER_${name}_VERSION "${_line}")
    endforeach()
    list(JOIN LADDER_${name}_VERSION "." LADDER_${name}_VERSION)
  endif()
endmacro()

# NVIDIA's collectives; NCCL_ROOT may be the folder of PyPI's package (nvidia/nccl). AMD's, whose version is that of the NCCL that
# it has the words of. For cmake/Look.cmake too.
macro(ladder_find_nccl)
  _ladder_find_collectives(NCCL nccl.h nccl)
endmacro()
macro(ladder_find_rccl)
  _ladder_find_collectives(RCCL rccl/rccl.h rccl "$ENV{ROCM_PATH}" "${LADDER_HIP_ROOT}" /opt/rocm)
endmacro()

# _ladder_collectives(NCCL <what to install>): ladder::nccl, LADDER_HAVE_NCCL and LADDER_NCCL_VERSION, for one rung past one device.
macro(_ladder_collectives name install)
  string(TOLOWER ${name} _target)
  if(LADDER_${name}_VERSION)
    set(LADDER_${name}_VERSION "${LADDER_${name}_VERSION}" PARENT_SCOPE)
    if(NOT TARGET ladder::${_target})
      add_library(ladder::${_target} UNKNOWN IMPORTED GLOBAL)
      set_target_properties(ladder::${_target} PROPERTIES IMPORTED_LOCATION "${LADDER_${name}_LIBRARY}"
                                                          INTERFACE_INCLUDE_DIRECTORIES "${LADDER_${name}_INCLUDE_DIR}")
    endif()
    set(LADDER_HAVE_${name} ON CACHE INTERNAL "")
  else()
    message(STATUS "${name} not found (${install}): m01 is left out.")
    set(LADDER_HAVE_${name} OFF CACHE INTERNAL "")
  endif()
endmacro()
function(ladder_need_nccl)
  ladder_find_nccl()
  _ladder_collectives(NCCL "libnccl-dev of NVIDIA's repository; or PyPI's nvidia-nccl-cu13, named by NCCL_ROOT")
endfunction()
function(ladder_need_rccl)
  ladder_find_rccl()
  _ladder_collectives(RCCL "rccl-dev of ROCm, librccl-dev of newer Debian and Ubuntu; or a folder that RCCL_ROOT names")
endfunction()

# Eigen3::Eigen and LADDER_HAVE_EIGEN: another library rung, of headers alone.
function(ladder_need_eigen)
  if(NOT TARGET Eigen3::Eigen)
    find_package(Eigen3 ${LADDER_LEAST_Eigen3} CONFIG QUIET)
    if(NOT TARGET Eigen3::Eigen)
      message(STATUS "Eigen not found (Debian and Ubuntu: libeigen3-dev): its CPU library rung is left out.")
    endif()
  endif()
  if(TARGET Eigen3::Eigen)
    set(LADDER_HAVE_EIGEN ON CACHE INTERNAL "")
  else()
    set(LADDER_HAVE_EIGEN OFF CACHE INTERNAL "")
  endif()
endfunction()

# Sets LADDER_OPENBLAS_LIBRARY and LADDER_OPENBLAS_INCLUDE_DIR, false where it is not found.
macro(ladder_find_openblas)
  # Debian keeps each flavour's headers and library in a folder of its own; the threaded one is the usual. Every BLAS has a
  # cblas.h: OpenBLAS's, which declares the sums, lies beside its own openblas_config.h.
  find_library(LADDER_OPENBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread openblas)
  find_path(LADDER_OPENBLAS_INCLUDE_DIR openblas_config.h PATH_SUFFIXES openblas-pthread openblas)
endmacro()

# ladder::openblas (with the folder of cblas.h) and LADDER_HAVE_OPENBLAS; likewise for the BLAS library rung.
function(ladder_need_openblas)
  if(NOT TARGET ladder::openblas)
    ladder_find_openblas()
    mark_as_advanced(LADDER_OPENBLAS_LIBRARY LADDER_OPENBLAS_INCLUDE_DIR)
    if(LADDER_OPENBLAS_LIBRARY AND LADDER_OPENBLAS_INCLUDE_DIR)
      add_library(ladder::openblas UNKNOWN IMPORTED GLOBAL)
      set_target_properties(
        ladder::openblas
        PROPERTIES IMPORTED_LOCATION "${LADDER_OPENBLAS_LIBRARY}"
                   INTERFACE_INCLUDE_DIRECTORIES "${LADDER_OPENBLAS_INCLUDE_DIR}")
    else()
      message(STATUS
        "OpenBLAS and its headers not found (Debian and Ubuntu: libopenblas-dev): the CPU library rungs of BLAS are left out.")
    endif()
  endif()
  if(TARGET ladder::openblas)
    set(LADDER_HAVE_OPENBLAS ON CACHE INTERNAL "")
  else()
    set(LADDER_HAVE_OPENBLAS OFF CACHE INTERNAL "")
  endif()
endfunction()
