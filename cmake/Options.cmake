# What a user can switch. Each option's default is what `cmake -B build` alone should give; a preset begins with no backend
# ("base" in cmake/presets/fragments.json) and names those that it has.

option(LADDER_CPU "Build the CPU backend (OpenMP)" ON)
option(LADDER_CUDA "Build the CUDA backend (needs nvcc)" OFF)
option(LADDER_HIP "Build the HIP backend" OFF)
set(LADDER_HIP_PLATFORM "amd" CACHE STRING
  "What the HIP backend is for: amd (needs hipcc) or nvidia (needs nvcc and HIP's headers)")
option(LADDER_KOKKOS "Build the Kokkos backend" OFF)
set(LADDER_KOKKOS_SPACES "openmp;serial" CACHE STRING
  "Kokkos execution spaces to build, a list out of cuda, hip, openmp, serial (cuda needs nvcc, hip needs hipcc)")
option(LADDER_SEVERAL "Build the rungs past one device: over several devices, and over the ranks of an MPI where there is one" OFF)
option(BUILD_TESTING "Build the tests" ON)
option(BUILD_SHARED_LIBS "Each model and each device as a shared library, so that many programs hold its code once" OFF)
if(BUILD_SHARED_LIBS)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON) # of the static libraries in them
endif()

# CI sets the environment variable, so that every preset that it configures is strict without one preset more.
set(_werror OFF)
if(DEFINED ENV{LADDER_WERROR})
  set(_werror "$ENV{LADDER_WERROR}")
endif()
option(LADDER_WERROR "Warnings are errors" ${_werror})
unset(_werror)

set(LADDER_CCCL "" CACHE PATH
  "A CCCL of 3.5 or newer for the library rungs of CUB's modes, where the toolkit's is older: the folder with cub/ and cuda/")
set(LADDER_CPU_ARCH "native" CACHE STRING
  "-march of the code that is measured on the CPU (only there): native, or x86-64-v3 for a bundle")
set(LADDER_SANITIZE "" CACHE STRING
  "Sanitizers for host code, as -fsanitize takes them, say address,undefined; empty for none")
option(LADDER_UNITY "The sources of a model are compiled several at a time: all of them in less time, a change of one in more" OFF)
foreach(_model CUDA HIP KOKKOS)
  set(LADDER_${_model}_TYPES "" CACHE STRING
    "Element types that this model is built for, a list out of i32, i64, f32, f64, i8, f16, bf16; empty for all")
  foreach(_type IN LISTS LADDER_${_model}_TYPES)
    if(NOT _type MATCHES "^(i32|i64|f32|f64|i8|f16|bf16)$")
      message(FATAL_ERROR
        "LADDER_${_model}_TYPES names \"${_type}\", which is none of the known types: i32, i64, f32, f64, i8, f16, bf16.")
    endif()
  endforeach()
endforeach()
unset(_model)
unset(_type)
option(LADDER_FUZZ "Build the fuzz targets of the readers, and of the tests nothing else (needs clang: preset fuzz)" OFF)

set(LADDER_NEEDS_CUDA ${LADDER_CUDA}) # the language, for whichever backend
if(LADDER_HIP)
  if(NOT LADDER_HIP_PLATFORM MATCHES "^(amd|nvidia)$")
    message(FATAL_ERROR
      "LADDER_HIP_PLATFORM is \"${LADDER_HIP_PLATFORM}\", which is none of the known platforms: amd, nvidia.")
  endif()
  if(LADDER_HIP_PLATFORM STREQUAL "nvidia")
    set(LADDER_NEEDS_CUDA ON)
  endif()
endif()
if(LADDER_KOKKOS)
  if(NOT LADDER_KOKKOS_SPACES)
    message(FATAL_ERROR
      "LADDER_KOKKOS is ON, but LADDER_KOKKOS_SPACES is empty: name at least one of cuda, hip, openmp, serial.")
  endif()
  foreach(_space IN LISTS LADDER_KOKKOS_SPACES)
    if(NOT _space MATCHES "^(cuda|hip|openmp|serial)$")
      message(FATAL_ERROR
        "LADDER_KOKKOS_SPACES names \"${_space}\", which is none of the known spaces: cuda, hip, openmp, serial.")
    endif()
  endforeach()
  unset(_space)
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

# A measurement without optimisation is not one: without a word from the user, build for speed.
get_property(_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT CMAKE_BUILD_TYPE AND NOT _multi_config)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
unset(_multi_config)

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
