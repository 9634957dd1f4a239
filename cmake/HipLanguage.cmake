# CMake's language HIP with AMD's compiler, for the HIP backend or Kokkos, whichever comes first.
#
# Including this file finds the toolchain and never stops:
#   LADDER_HIPCC          false if not found
#   LADDER_HIPCC_VERSION  HIP's, 5.2.21153
#   LADDER_HIP_ROOT       /opt/rocm, or /usr for the system's own packages
#   LADDER_HIP_COMPILER   hipcc's clang++: CMake does not accept hipcc for the language
# ladder_enable_hip(<how to do without>) enables the language and selects the architectures.

include_guard(GLOBAL)

# Filters the listed architectures: the compiler must support them and have a device library for each.
function(_ladder_hip_taken variable)
  set(source "${PROJECT_BINARY_DIR}/hip_language/kernel.hip")
  file(CONFIGURE OUTPUT "${source}" CONTENT "__attribute__((global)) void kernel() {}\n")
  separate_arguments(flags UNIX_COMMAND "${_ladder_hip_flags}")
  set(taken "")
  foreach(architecture IN LISTS ARGN)
    execute_process(
      COMMAND
        "${LADDER_HIP_COMPILER}" -x hip ${flags} --offload-arch=${architecture} --cuda-device-only -nogpuinc -c "${source}"
        -o "${source}.o"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
      list(APPEND taken ${architecture})
    endif()
  endforeach()
  set(${variable} "${taken}" PARENT_SCOPE)
endfunction()

# Architectures of this machine's GPUs. Without a GPU, these programs may fail in any way.
function(_ladder_hip_seen variable)
  cmake_path(GET LADDER_HIP_COMPILER PARENT_PATH folder)
  set(seen "")
  foreach(program "${LADDER_HIP_ROOT}/bin/rocm_agent_enumerator" "${folder}/amdgpu-arch")
    if(NOT seen)
      execute_process(COMMAND "${program}" OUTPUT_VARIABLE seen ERROR_QUIET TIMEOUT 30)
      string(REGEX MATCHALL "gfx[0-9a-f]+" seen "${seen}")
      list(REMOVE_ITEM seen gfx000) # the CPU
      list(REMOVE_DUPLICATES seen)
    endif()
  endforeach()
  set(${variable} "${seen}" PARENT_SCOPE)
endfunction()

# Sets CMAKE_HIP_ARCHITECTURES unless the user has: the GPUs found, else all known ones that the compiler supports. Never
# `native` in a preset: it stops without a GPU.
function(_ladder_hip_architectures without)
  set(known gfx908 gfx90a gfx940 gfx942 gfx950 gfx1030 gfx1100 gfx1200 gfx1201)
  set(wanted ${CMAKE_HIP_ARCHITECTURES})
  if(wanted)
    if(wanted STREQUAL LADDER_HIP_TRIED)
      return()
    endif()
    set(whose "named in CMAKE_HIP_ARCHITECTURES")
  else()
    _ladder_hip_seen(wanted)
    set(whose "the GPUs of this machine")
    if(NOT wanted)
      set(wanted ${known})
      set(whose "no GPU seen here: all that the compiler takes")
    endif()
  endif()

  _ladder_hip_taken(taken ${wanted})
  set(refused ${wanted})
  list(REMOVE_ITEM refused "" ${taken})
  list(JOIN refused ", " refused_listed)
  if(NOT taken OR (refused AND CMAKE_HIP_ARCHITECTURES))
    _ladder_hip_taken(others ${known})
    if(NOT others)
      set(others none)
    endif()
    list(JOIN others ", " others)
    message(FATAL_ERROR
      "${LADDER_HIP_COMPILER} does not compile for ${refused_listed} (${whose}): name others in CMAKE_HIP_ARCHITECTURES (it "
      "takes ${others}) or the folder of a ROCm that does in ROCM_PATH, or configure ${without}.")
  endif()
  list(JOIN taken ", " taken_listed)
  if(refused)
    string(APPEND whose "; it refuses ${refused_listed}")
  endif()
  message(STATUS "HIP architectures: ${taken_listed} (${whose})")
  set(CMAKE_HIP_ARCHITECTURES "${taken}" PARENT_SCOPE)
endfunction()

# A macro, since a language is enabled for the calling folder and those below. Choices enter the cache only after CMake accepts
# them: until then another toolchain can be named.
macro(ladder_enable_hip without)
  if(NOT CMAKE_HIP_COMPILER_LOADED)
    _ladder_hip_architectures("${without}")
    set(CMAKE_HIP_PLATFORM amd)
    set(CMAKE_HIP_COMPILER "${LADDER_HIP_COMPILER}")
    set(CMAKE_HIP_COMPILER_ROCM_ROOT "${LADDER_HIP_ROOT}")
    if(NOT DEFINED CMAKE_HIP_FLAGS)
      set(CMAKE_HIP_FLAGS "$ENV{HIPFLAGS}") # CMake reads HIPFLAGS only if this is undefined
    endif()
    if(NOT CMAKE_HIP_FLAGS MATCHES "--rocm-path=")
      string(STRIP "${_ladder_hip_flags} ${CMAKE_HIP_FLAGS}" CMAKE_HIP_FLAGS)
    endif()
    set(CMAKE_HIP_STANDARD 20)
    set(CMAKE_HIP_STANDARD_REQUIRED ON)
    set(CMAKE_HIP_EXTENSIONS OFF)
    enable_language(HIP)
    set(CMAKE_HIP_COMPILER "${CMAKE_HIP_COMPILER}" CACHE FILEPATH "The HIP compiler")
    set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS}" CACHE STRING "Flags of the HIP compiler" FORCE)
    set(CMAKE_HIP_ARCHITECTURES "${CMAKE_HIP_ARCHITECTURES}" CACHE STRING "AMD GPU architectures to compile for")
    set(LADDER_HIP_TRIED "${CMAKE_HIP_ARCHITECTURES}" CACHE INTERNAL "What HIP was tried for, and works")
    set(LADDER_HIPCC "${LADDER_HIPCC}" CACHE INTERNAL "The hipcc whose compiler is used")
    # clang also links HIP code, with architecture options that linking does not use.
    add_link_options("$<$<LINK_LANGUAGE:HIP>:-Wno-unused-command-line-argument>")
  endif()
endmacro()

set(LADDER_HIPCC_VERSION 0)
set(LADDER_HIP_ROOT "")
set(LADDER_HIP_COMPILER clang++)
set(_ladder_hip_flags "")
block(PROPAGATE LADDER_HIPCC LADDER_HIPCC_VERSION LADDER_HIP_ROOT LADDER_HIP_COMPILER _ladder_hip_flags)
  # A user's compiler is in <root>/llvm/bin or <root>/lib/llvm/bin.
  string(REGEX REPLACE "(/lib)?/llvm/bin/[^/]+$" "" root "${CMAKE_HIP_COMPILER}")
  find_program(LADDER_HIPCC hipcc NO_CACHE HINTS "${root}" ENV ROCM_PATH ENV HIP_PATH PATHS /opt/rocm PATH_SUFFIXES bin)
  if(NOT LADDER_HIPCC)
    return()
  endif()
  execute_process(COMMAND "${LADDER_HIPCC}" --version OUTPUT_VARIABLE said ERROR_QUIET)
  if(said MATCHES "HIP version: ([0-9.]+)")
    set(LADDER_HIPCC_VERSION "${CMAKE_MATCH_1}")
  endif()
  if(CMAKE_HIP_COMPILER)
    set(LADDER_HIP_COMPILER "${CMAKE_HIP_COMPILER}")
  elseif(DEFINED ENV{HIPCXX})
    set(LADDER_HIP_COMPILER "$ENV{HIPCXX}")
  elseif(said MATCHES "clang version ([0-9]+).*InstalledDir: *([^\n]+)")
    # In /usr/bin the unversioned name may belong to another version.
    find_program(clang NAMES clang++-${CMAKE_MATCH_1} clang++ NO_CACHE PATHS "${CMAKE_MATCH_2}" NO_DEFAULT_PATH)
    if(clang)
      # Use clang's own folder: HIP takes clang's runtime library from there, of the first version found.
      file(REAL_PATH "${clang}" clang)
      cmake_path(REPLACE_FILENAME clang clang++ OUTPUT_VARIABLE LADDER_HIP_COMPILER)
    endif()
  endif()
  cmake_path(GET LADDER_HIPCC PARENT_PATH folder)
  execute_process( # the ROCm of this hipcc, not of the environment
    COMMAND "${CMAKE_COMMAND}" -E env --unset=ROCM_PATH --unset=HIP_PATH "${folder}/hipconfig" --rocmpath
    OUTPUT_VARIABLE LADDER_HIP_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  # ROCm's clang finds the rest of ROCm; the system's needs these flags.
  if(LADDER_HIP_ROOT STREQUAL "/usr")
    set(_ladder_hip_flags "--rocm-path=/usr")
    set(libraries "/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode")
    if(IS_DIRECTORY "${libraries}")
      string(APPEND _ladder_hip_flags " --rocm-device-lib-path=${libraries}")
    endif()
  endif()
endblock()
