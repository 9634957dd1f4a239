# cmake -P cmake/Look.cmake: prints for ./study what the build would find on this machine, as lines `-- name=value`. It needs no
# compiler, changes nothing, and loads no package: a package that is found may still turn out to be unusable.
cmake_minimum_required(VERSION 3.25) # minimum: ./study runs this before the build's CMake is installed
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")

# Default search path of a project; a script must set it. Tests override it.
if(NOT DEFINED CMAKE_SYSTEM_PREFIX_PATH)
  set(CMAKE_SYSTEM_PREFIX_PATH /usr/local /usr)
endif()
set(CMAKE_FIND_LIBRARY_PREFIXES lib)
set(CMAKE_FIND_LIBRARY_SUFFIXES .so .a)
set_property(GLOBAL PROPERTY FIND_LIBRARY_USE_LIB64_PATHS ON)
file(GLOB _multiarch RELATIVE /usr/lib "/usr/lib/*-linux-gnu*")
cmake_host_system_information(RESULT _machine QUERY OS_PLATFORM)
list(FILTER _multiarch INCLUDE REGEX "^${_machine}-") # other folders may belong to a cross compiler
if(_multiarch)
  list(GET _multiarch 0 CMAKE_LIBRARY_ARCHITECTURE)
endif()
set(PROJECT_BINARY_DIR "${CMAKE_CURRENT_BINARY_DIR}")

include(Dependencies)
include(HipLanguage)
include(HipHeaders)

function(tell name value)
  if(value)
    message(STATUS "${name}=${value}")
  endif()
endfunction()

# Reports the first package of that name that is new enough. No package has the requested version, so find_package considers
# all, in its own order, and loads none.
function(look_for package)
  find_package(${package} 999999 EXACT CONFIG QUIET)
  foreach(version config IN ZIP_LISTS ${package}_CONSIDERED_VERSIONS ${package}_CONSIDERED_CONFIGS)
    if(version VERSION_GREATER_EQUAL "0${LADDER_${package}_LEAST}")
      if(version STREQUAL "unknown") # the package states no version
        set(version "found")
      endif()
      tell(${package} "${version}")
      tell(${package}_config "${config}")
      break()
    endif()
  endforeach()
endfunction()

find_path(GMOCK gmock/gmock.h) # a separate package in Debian, without which GTest's cannot be loaded
foreach(package IN LISTS LADDER_PACKAGES)
  if(GMOCK OR NOT package STREQUAL "GTest")
    look_for(${package})
  endif()
endforeach()
foreach(package OPENBLAS NCCL RCCL)
  ladder_find_files(${package})
endforeach()
if(LADDER_OPENBLAS_HEADERS)
  tell(openblas "${LADDER_OPENBLAS_LIBRARY}")
endif()
tell(nccl "${LADDER_NCCL_VERSION}")
tell(rccl "${LADDER_RCCL_VERSION}")
find_program(MPICXX mpicxx)
find_program(MPIRUN mpirun)
if(MPICXX AND MPIRUN)
  tell(MPI "${MPIRUN}")
endif()
find_program(PKG_CONFIG pkg-config)
if(PKG_CONFIG)
  execute_process(COMMAND "${PKG_CONFIG}" --modversion hwloc OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(version VERSION_GREATER_EQUAL 2.0)
    tell(hwloc "${version}")
  endif()
endif()

if(LADDER_HIPCC)
  tell(hipcc "${LADDER_HIPCC}")
  tell(hipcc_version "${LADDER_HIPCC_VERSION}")
endif()
tell(hip_headers "${LADDER_HIP_INCLUDE_DIR}")
tell(hip_version "${LADDER_HIP_VERSION}")

list(GET LADDER_Kokkos_SOURCE 1 release)
tell(kokkos_release "${release}")
