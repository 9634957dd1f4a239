# User options. The defaults are for `cmake -B build` alone; a preset starts without backends ("base" in
# cmake/presets/fragments.json) and enables its own.

# Stops if a list has a value other than the known ones, which follow.
function(_ladder_known list what)
  foreach(value IN LISTS ${list})
    if(NOT value IN_LIST ARGN)
      list(JOIN ARGN ", " known)
      message(FATAL_ERROR "${list} names \"${value}\", which is none of the known ${what}: ${known}.")
    endif()
  endforeach()
endfunction()

option(LADDER_CPU "Build the CPU backend (OpenMP)" ON)
option(LADDER_CUDA "Build the CUDA backend (needs nvcc)" OFF)
option(LADDER_HIP "Build the HIP backend" OFF)
set(LADDER_HIP_PLATFORM "amd" CACHE STRING
  "What the HIP backend is for: amd (needs hipcc) or nvidia (needs nvcc and HIP's headers)")
option(LADDER_KOKKOS "Build the Kokkos backend" OFF)
set(LADDER_KOKKOS_SPACES "openmp;serial" CACHE STRING
  "Kokkos execution spaces to build, a list out of cuda, hip, openmp, serial (cuda needs nvcc, hip needs hipcc)")
option(LADDER_SEVERAL "Build the rungs on several devices: of one process, and over the ranks of an MPI where there is one" OFF)
option(BUILD_TESTING "Build the tests" ON)
option(BUILD_SHARED_LIBS "Each model and each device as a shared library, so that many programs hold its code once" OFF)
if(BUILD_SHARED_LIBS)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON) # for the static libraries that they contain
endif()

# CI sets the environment variable, so that all its presets are strict without another preset.
option(LADDER_WERROR "Warnings are errors" $ENV{LADDER_WERROR})

set(LADDER_CCCL "" CACHE PATH
  "A CCCL of 3.5 or newer for the library rungs of CUB's modes, where the toolkit's is older: the folder with cub/ and cuda/")
set(LADDER_CPU_ARCH "native" CACHE STRING
  "-march of the code that is measured on the CPU (only there): native, or x86-64-v3 for a bundle")
set(LADDER_SANITIZE "" CACHE STRING
  "Sanitizers for host code, as -fsanitize takes them, say address,undefined; empty for none")
option(LADDER_UNITY "Where CMAKE_UNITY_BUILD is on, it is for what is measured too, whose machine code is another then" OFF)
foreach(_model CPU CUDA HIP KOKKOS)
  set(LADDER_${_model}_TYPES "" CACHE STRING
    "Element types that this model is built for, a list out of i32, i64, f32, f64, i8, f16, bf16; empty for all")
  _ladder_known(LADDER_${_model}_TYPES types i32 i64 f32 f64 i8 f16 bf16)
endforeach()
option(LADDER_FUZZ "Build the fuzz targets of the readers, and of the tests nothing else (needs clang: preset fuzz)" OFF)

set(LADDER_NEEDS_CUDA ${LADDER_CUDA}) # true if any backend needs the CUDA language
if(LADDER_HIP)
  _ladder_known(LADDER_HIP_PLATFORM platforms amd nvidia)
  if(LADDER_HIP_PLATFORM STREQUAL "nvidia")
    set(LADDER_NEEDS_CUDA ON)
  endif()
endif()
if(LADDER_KOKKOS)
  if(NOT LADDER_KOKKOS_SPACES)
    message(FATAL_ERROR
      "LADDER_KOKKOS is ON, but LADDER_KOKKOS_SPACES is empty: name at least one of cuda, hip, openmp, serial.")
  endif()
  _ladder_known(LADDER_KOKKOS_SPACES spaces cuda hip openmp serial)
  if("cuda" IN_LIST LADDER_KOKKOS_SPACES AND "hip" IN_LIST LADDER_KOKKOS_SPACES)
    message(FATAL_ERROR
      "LADDER_KOKKOS_SPACES names cuda and hip, and a Kokkos can be built for only one of them: choose one.")
  endif()
  if("cuda" IN_LIST LADDER_KOKKOS_SPACES)
    set(LADDER_NEEDS_CUDA ON)
  endif()
endif()

if(LADDER_SANITIZE AND LADDER_HIP)
  message(FATAL_ERROR "LADDER_SANITIZE is for host code alone: configure without the HIP backend (-DLADDER_HIP=OFF).")
endif()
if(LADDER_SANITIZE AND LADDER_NEEDS_CUDA)
  message(FATAL_ERROR
    "LADDER_SANITIZE is for host code alone: use compute-sanitizer for the CUDA backend and for Kokkos on CUDA.")
endif()

# Without optimization nothing can be measured: unless the user chooses otherwise, build for speed.
get_property(_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT _multi_config)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# A compiler that assumes the absence of NaN accepts NaN as a correct result, and reorders additions.
string(TOUPPER "${CMAKE_BUILD_TYPE}" _config)
foreach(_language CXX CUDA HIP)
  foreach(_flag -Ofast -ffast-math -ffinite-math-only -funsafe-math-optimizations -use_fast_math)
    if(" ${CMAKE_${_language}_FLAGS} ${CMAKE_${_language}_FLAGS_${_config}}" MATCHES "[ ,=-]${_flag}( |,|$)")
      message(FATAL_ERROR "${_flag} (CMAKE_${_language}_FLAGS, or ${_language}FLAGS in the environment): results could not be "
                          "checked, since NaN and the order of additions would mean nothing. Leave it out.")
    endif()
  endforeach()
endforeach()
