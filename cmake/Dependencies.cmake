# All libraries of the project, in one table. A folder names those that it uses: ladder_need(benchmark CLI11).
#
# Installed libraries come first (find_package). Otherwise the source is fetched at a pinned version and hash, if it builds in
# seconds. Otherwise a message says what to install. Without network, LADDER_<LIBRARY>_ARCHIVE (a CMake or environment variable)
# names a copy of the same archive.

include(FetchContent)

# Makes targets found in one folder visible to the folders that link it.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)

# ladder_library(<package> ...): an entry of the table. <package> is the name for find_package.
#   TARGET <target>    defined by the package and by its source
#   LEAST <version>    minimum version
#   INSTALL <words>    what to install instead
#   LEFT_OUT <what>    the part that is omitted if the library is missing; the build continues
#   SOURCE <name> <version>  the fetched archive: one SHA256 must match, the URLS are tried in order
#   OFF <option>...    disabled options of that source
#   FILES <header> <library>  for a library without a package
# LADDER_PACKAGES lists the packages for find_package.
set(LADDER_LIBRARY_FIELDS TARGET LEAST INSTALL LEFT_OUT SOURCE SHA256 URLS OFF FILES)
function(ladder_library package)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "${LADDER_LIBRARY_FIELDS}")
  foreach(field IN LISTS LADDER_LIBRARY_FIELDS)
    set(LADDER_${package}_${field} "${arg_${field}}" PARENT_SCOPE)
  endforeach()
  if(NOT arg_FILES)
    set(LADDER_PACKAGES ${LADDER_PACKAGES} ${package} PARENT_SCOPE)
  endif()
endfunction()

# The second address is Debian's, with byte-identical archives (the originals of its packages). Its CLI11 lacks the bundled
# documentation, hence the second hash.
ladder_library(
  benchmark
  TARGET benchmark::benchmark
  LEAST 1.7
  INSTALL "Debian and Ubuntu: libbenchmark-dev"
  SOURCE benchmark 1.7.1
  SHA256 6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7
  URLS https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz
       https://deb.debian.org/debian/pool/main/b/benchmark/benchmark_1.7.1.orig.tar.gz
  OFF BENCHMARK_ENABLE_TESTING BENCHMARK_ENABLE_INSTALL BENCHMARK_ENABLE_WERROR)
ladder_library(
  GTest
  TARGET GTest::gtest
  INSTALL "Debian and Ubuntu: libgtest-dev libgmock-dev; or configure with -DBUILD_TESTING=OFF"
  SOURCE googletest 1.12.1
  SHA256 81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2
  URLS https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz
       https://deb.debian.org/debian/pool/main/g/googletest/googletest_1.12.1.orig.tar.gz
  OFF INSTALL_GTEST)
# Generates the cases of the property tests. It has no releases: this is the commit of Debian's package.
ladder_library(
  rapidcheck
  TARGET rapidcheck
  INSTALL "Debian and Ubuntu: librapidcheck-dev; or configure with -DBUILD_TESTING=OFF"
  SOURCE rapidcheck 08b5058
  SHA256 ebb215f93a10cf1c48367b7fdd33dbba68724ead11126b94eeefa215a20bebf4
  URLS https://deb.debian.org/debian/pool/main/r/rapidcheck/rapidcheck_0~1033-08b5058.orig.tar.xz
  OFF RC_INSTALL_ALL_EXTRAS)
ladder_library(
  CLI11
  TARGET CLI11::CLI11
  LEAST 2.1
  INSTALL "Debian and Ubuntu: libcli11-dev"
  SOURCE cli11 2.1.2
  SHA256 26291377e892ba0e5b4972cdfd4a2ab3bf53af8dac1f4ea8fe0d1376b625c8cb
         8143d20b688e98ccce8e24562d3b68e5f47c12e896c42c7ca8553dbde5bed55d
  URLS https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.1.2.tar.gz
       https://deb.debian.org/debian/pool/main/c/cli11/cli11_2.1.2+ds.orig.tar.xz
  OFF CLI11_PRECOMPILED)
ladder_library(
  nlohmann_json
  TARGET nlohmann_json::nlohmann_json
  LEAST 3.10
  INSTALL "Debian and Ubuntu: nlohmann-json3-dev"
  SOURCE nlohmann_json 3.11.2
  SHA256 d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273
  URLS https://github.com/nlohmann/json/archive/refs/tags/v3.11.2.tar.gz
       https://deb.debian.org/debian/pool/main/n/nlohmann-json3/nlohmann-json3_3.11.2.orig.tar.gz
  OFF JSON_BuildTests JSON_Install)
ladder_library(
  hwy # Highway: the vectors of the CPU's rungs from c08 on and of the host's ceiling
  TARGET hwy::hwy
  LEAST 1.0.3
  INSTALL "Debian and Ubuntu: libhwy-dev"
  SOURCE highway 1.0.3
  SHA256 566fc77315878473d9a6bd815f7de78c73734acdcb745c3dde8579560ac5440e
  URLS https://github.com/google/highway/archive/refs/tags/1.0.3.tar.gz
       https://deb.debian.org/debian/pool/main/h/highway/highway_1.0.3.orig.tar.gz
  OFF HWY_ENABLE_CONTRIB HWY_ENABLE_EXAMPLES HWY_ENABLE_INSTALL HWY_ENABLE_TESTS)
ladder_library(
  Kokkos # found by cmake/Kokkos.cmake
  INSTALL "Kokkos 5: github.com/kokkos/kokkos"
  SOURCE kokkos 5.0.2
  SHA256 188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e
  URLS https://github.com/kokkos/kokkos/releases/download/5.0.2/kokkos-5.0.2.tar.gz
       https://deb.debian.org/debian/pool/main/k/kokkos/kokkos_5.0.2.orig.tar.gz
  OFF Kokkos_ENABLE_TESTS Kokkos_ENABLE_DEPRECATED_CODE_5)
ladder_library(
  TBB # std::execution::par_unseq runs on it
  TARGET TBB::tbb
  INSTALL "Debian and Ubuntu: libtbb-dev"
  LEFT_OUT "the CPU library rung std::reduce")
ladder_library(
  Eigen3
  TARGET Eigen3::Eigen
  LEAST 3.4
  INSTALL "Debian and Ubuntu: libeigen3-dev"
  LEFT_OUT "its CPU library rung")
ladder_library(
  OPENBLAS # every BLAS has a cblas.h; OpenBLAS's, which declares the sums, is in the folder of this header
  TARGET ladder::openblas
  FILES openblas_config.h openblas
  INSTALL "Debian and Ubuntu: libopenblas-dev"
  LEFT_OUT "the CPU library rung of BLAS")
ladder_library(
  NCCL
  TARGET ladder::nccl
  FILES nccl.h nccl
  INSTALL "libnccl-dev of NVIDIA's repository; or PyPI's nvidia-nccl-cu13, named by NCCL_ROOT"
  LEFT_OUT m01)
ladder_library(
  RCCL
  TARGET ladder::rccl
  FILES rccl/rccl.h rccl
  INSTALL "rccl-dev of ROCm, librccl-dev of newer Debian and Ubuntu; or a folder that RCCL_ROOT names"
  LEFT_OUT m01)

# Appends to a list of URLs on deb.debian.org their copies on each of apt's mirrors: a mirror may be the only reachable host.
function(_ladder_debian_mirrors list)
  execute_process(
    COMMAND apt-get indextargets --format "$(REPO_URI)" OUTPUT_VARIABLE mirrors RESULT_VARIABLE failed ERROR_QUIET)
  if(failed)
    return()
  endif()
  string(REGEX MATCHALL "https?://[^\n]*/debian/" mirrors "${mirrors}")
  set(urls ${${list}})
  foreach(mirror IN LISTS mirrors)
    list(TRANSFORM ${list} REPLACE "^https://deb\\.debian\\.org/debian/" "${mirror}" OUTPUT_VARIABLE on_mirror)
    list(APPEND urls ${on_mirror})
  endforeach()
  list(REMOVE_DUPLICATES urls)
  set(${list} "${urls}" PARENT_SCOPE)
endfunction()

# Sets <variable> to the source archive: LADDER_<NAME>_ARCHIVE, an earlier configuration's, or a new download. FetchContent gets
# a file, since its own download fails with a hundred lines, and this one with a sentence.
function(_ladder_archive variable package)
  list(GET LADDER_${package}_SOURCE 0 name)
  list(GET LADDER_${package}_SOURCE 1 version)
  string(TOUPPER "LADDER_${name}_ARCHIVE" named)
  set(archive "${${named}}")
  if(NOT archive)
    set(archive "$ENV{${named}}")
  endif()
  if(archive)
    if(NOT EXISTS "${archive}" OR IS_DIRECTORY "${archive}")
      message(FATAL_ERROR
        "${named} names ${archive}, where there is no file: name a copy of the source archive of ${name} ${version} there, or "
        "unset it to have that downloaded.")
    endif()
    file(SHA256 "${archive}" hash)
    if(NOT hash IN_LIST LADDER_${package}_SHA256)
      list(JOIN LADDER_${package}_SHA256 " or " wanted)
      message(FATAL_ERROR
        "${named} names ${archive}, which is not the source archive of ${name} ${version}: its SHA-256 is ${hash}, not "
        "${wanted}.")
    endif()
    set(${variable} "${archive}" PARENT_SCOPE)
    return()
  endif()

  set(archive "${PROJECT_BINARY_DIR}/archives/${name}-${version}.tar.gz")
  set(urls "")
  set(problem "FETCHCONTENT_FULLY_DISCONNECTED is set")
  if(NOT FETCHCONTENT_FULLY_DISCONNECTED)
    set(urls ${LADDER_${package}_URLS})
    _ladder_debian_mirrors(urls)
  endif()
  foreach(url IN ITEMS "" ${urls}) # first tries the existing file
    if(url)
      message(STATUS "Downloading ${name} ${version}: ${url}")
      file(DOWNLOAD "${url}" "${archive}" STATUS status TIMEOUT 300 INACTIVITY_TIMEOUT 30)
      list(GET status 1 problem)
    endif()
    if(EXISTS "${archive}")
      file(SHA256 "${archive}" hash)
      if(hash IN_LIST LADDER_${package}_SHA256)
        set(${variable} "${archive}" PARENT_SCOPE)
        return()
      endif()
      file(REMOVE "${archive}")
      if(problem STREQUAL "\"No error\"")
        set(problem "SHA-256 mismatch: ${hash}")
      endif()
    endif()
  endforeach()
  message(FATAL_ERROR
    "${name} is not installed and could not be downloaded (${problem}): install it (${LADDER_${package}_INSTALL}), or name a "
    "copy of its ${version} source archive in ${named}.")
endfunction()

# ladder_fetch(<package>): builds the library from the source in its table entry.
function(ladder_fetch package)
  list(GET LADDER_${package}_SOURCE 0 name)
  string(TOUPPER "FETCHCONTENT_SOURCE_DIR_${name}" folder)
  set(archive "")
  if(NOT ${folder})
    _ladder_archive(archive ${package})
    set(archive URL "${archive}" DOWNLOAD_EXTRACT_TIMESTAMP FALSE)
  endif()
  FetchContent_Declare(${name} SYSTEM EXCLUDE_FROM_ALL ${archive})

  # These releases request compatibility with CMake versions that current CMake no longer supports.
  set(CMAKE_POLICY_VERSION_MINIMUM 3.10)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # their option() takes the values that are set here
  foreach(option BUILD_TESTING CMAKE_EXPORT_COMPILE_COMMANDS CMAKE_UNITY_BUILD ${LADDER_${package}_OFF})
    set(${option} OFF)
  endforeach()
  if(NOT package STREQUAL "Kokkos") # it has global state and device code: shared if this project's libraries are
    set(BUILD_SHARED_LIBS OFF)
  endif()
  set(CMAKE_MESSAGE_LOG_LEVEL NOTICE)
  FetchContent_MakeAvailable(${name})
  if(name STREQUAL "highway")
    add_library(hwy::hwy ALIAS hwy)
  endif()
endfunction()

# ladder_find_files(<package>): sets LADDER_<package>_HEADERS and LADDER_<package>_LIBRARY, from <package>_ROOT or the system,
# or to false; and LADDER_<package>_VERSION to NCCL's version, which RCCL's header reports too.
macro(ladder_find_files package)
  list(GET LADDER_${package}_FILES 0 _header)
  list(GET LADDER_${package}_FILES 1 _name)
  set(_hints "$ENV{${package}_ROOT}" "${${package}_ROOT}" "$ENV{ROCM_PATH}" "${LADDER_HIP_ROOT}" /opt/rocm)
  # Debian has each OpenBLAS variant in its own folder; the threaded one is the usual. PyPI has no plain libnccl.so.
  find_path(LADDER_${package}_HEADERS ${_header} HINTS ${_hints} PATH_SUFFIXES include openblas-pthread openblas)
  find_library(LADDER_${package}_LIBRARY NAMES ${_name} lib${_name}.so.2 lib${_name}.so.1 HINTS ${_hints}
               PATH_SUFFIXES lib openblas-pthread openblas)
  mark_as_advanced(LADDER_${package}_HEADERS LADDER_${package}_LIBRARY)
  set(LADDER_${package}_VERSION "")
  if(LADDER_${package}_HEADERS AND LADDER_${package}_LIBRARY)
    file(STRINGS "${LADDER_${package}_HEADERS}/${_header}" _lines REGEX "^#define NCCL_(MAJOR|MINOR|PATCH) +[0-9]+")
    list(TRANSFORM _lines REPLACE ".* " "")
    list(JOIN _lines "." LADDER_${package}_VERSION)
  endif()
endmacro()

# ladder_need(<package>...): defines the TARGET of each package, except of missing LEFT_OUT packages.
function(ladder_need)
  foreach(package IN LISTS ARGN)
    set(target ${LADDER_${package}_TARGET})
    if(LADDER_${package}_FILES)
      ladder_find_files(${package})
      set(LADDER_${package}_VERSION "${LADDER_${package}_VERSION}" PARENT_SCOPE)
      if(NOT TARGET ${target} AND LADDER_${package}_HEADERS AND LADDER_${package}_LIBRARY)
        add_library(${target} UNKNOWN IMPORTED GLOBAL)
        set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${LADDER_${package}_LIBRARY}"
                                                   INTERFACE_INCLUDE_DIRECTORIES "${LADDER_${package}_HEADERS}")
      endif()
    elseif(NOT TARGET ${target})
      find_package(${package} ${LADDER_${package}_LEAST} CONFIG QUIET)
    endif()
    if(NOT TARGET ${target} AND LADDER_${package}_LEFT_OUT)
      message(STATUS "${package} not found (${LADDER_${package}_INSTALL}): ${LADDER_${package}_LEFT_OUT} is left out.")
    elseif(NOT TARGET ${target})
      ladder_fetch(${package})
    endif()
  endforeach()
endfunction()

# Defines PkgConfig::hwloc. The CPU backend and Kokkos pin their workers by its topology.
function(ladder_need_hwloc)
  find_package(PkgConfig QUIET)
  if(PkgConfig_FOUND)
    pkg_check_modules(hwloc QUIET IMPORTED_TARGET GLOBAL hwloc>=2.0)
  endif()
  if(NOT TARGET PkgConfig::hwloc)
    message(FATAL_ERROR
      "The CPU backend and Kokkos need hwloc 2 and pkg-config to find it: install them (Debian and Ubuntu: libhwloc-dev "
      "pkg-config), or configure without those backends (-DLADDER_CPU=OFF -DLADDER_KOKKOS=OFF).")
  endif()
endfunction()

# Defines OpenMP::OpenMP_CXX.
function(ladder_need_openmp)
  find_package(OpenMP COMPONENTS CXX QUIET)
  if(NOT OpenMP_CXX_FOUND)
    message(FATAL_ERROR
      "The CPU backend and Kokkos need OpenMP, which ${CMAKE_CXX_COMPILER} does not offer: use GCC, or install LLVM's "
      "libomp for clang (Debian and Ubuntu: libomp-dev), or configure without those backends (-DLADDER_CPU=OFF "
      "-DLADDER_KOKKOS=OFF).")
  endif()
endfunction()
