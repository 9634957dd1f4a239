# HIP for the HIP backend, on the platform LADDER_HIP_PLATFORM. Sets for the rest of the build:
#   LADDER_HIP_LANGUAGE       language of all .hip sources: HIP (amd) or CUDA (nvidia)
#   LADDER_HIP_VERSION        5.2.21153
#   LADDER_HIP_SOURCE         "ROCm at /opt/rocm, clang 18.0.0" or "HIP's headers at /usr/include, over CUDA 13.0.88"
#   LADDER_HIP_ARCHITECTURES  list of GPU architectures that the sources are compiled for
#   ladder::rocprim, ladder::hipcub  if found; only on amd
# ladder_hip_sources(<target>) sets up a target's .hip sources.
#
# On nvidia HIP is a set of headers over CUDA: nvcc compiles the sources, and the rest of ROCm is not needed.

set(_without "without the HIP backend (-DLADDER_HIP=OFF)")
if(LADDER_HIP_PLATFORM STREQUAL "amd")
  include(HipLanguage)
  if(NOT LADDER_HIPCC)
    message(FATAL_ERROR
      "LADDER_HIP is ON, but hipcc was not found: install AMD's ROCm, or what the system has of it (Debian and Ubuntu: hipcc), "
      "and put its bin folder in PATH or name its folder in ROCM_PATH, or configure ${_without}.")
  endif()
  if(LADDER_HIPCC_VERSION VERSION_LESS 5.2)
    message(FATAL_ERROR
      "The HIP backend needs hipcc 5.2 or newer, and ${LADDER_HIPCC} is version ${LADDER_HIPCC_VERSION}: install a newer ROCm "
      "and name its folder in ROCM_PATH, or configure ${_without}.")
  endif()
  ladder_enable_hip("${_without}")
  set(LADDER_HIP_LANGUAGE HIP)
  set(LADDER_HIP_VERSION "${LADDER_HIPCC_VERSION}")
  set(LADDER_HIP_ARCHITECTURES ${CMAKE_HIP_ARCHITECTURES})
  if(LADDER_HIP_ROOT STREQUAL "/usr")
    set(LADDER_HIP_SOURCE "the system's HIP at /usr, clang ${CMAKE_HIP_COMPILER_VERSION}")
  else()
    set(LADDER_HIP_SOURCE "ROCm at ${LADDER_HIP_ROOT}, clang ${CMAKE_HIP_COMPILER_VERSION}")
  endif()
else()
  include(HipHeaders)
  if(NOT LADDER_HIP_INCLUDE_DIR)
    message(FATAL_ERROR
      "LADDER_HIP is ON for nvidia, but HIP's headers (hip/nvidia_detail) were not found: install them (Debian and Ubuntu: "
      "libamdhip64-dev; ROCm: hip-dev), or name in HIP_PATH the folder in whose include folder they are, or configure "
      "${_without}.")
  endif()
  if(NOT LADDER_HIP_VERSION VERSION_GREATER_EQUAL 5.2)
    message(FATAL_ERROR
      "The HIP backend needs HIP 5.2 or newer, and the headers at ${LADDER_HIP_INCLUDE_DIR} are version "
      "${LADDER_HIP_VERSION}: install newer ones, point LADDER_HIP_INCLUDE_DIR at them, or configure ${_without}.")
  endif()
  set(LADDER_HIP_LANGUAGE CUDA)
  set(LADDER_HIP_ARCHITECTURES ${CMAKE_CUDA_ARCHITECTURES})
  set(LADDER_HIP_SOURCE "HIP's headers at ${LADDER_HIP_INCLUDE_DIR}, over CUDA ${CUDAToolkit_VERSION}")
endif()
list(JOIN LADDER_HIP_ARCHITECTURES ", " _listed)
message(STATUS "HIP ${LADDER_HIP_VERSION} for ${LADDER_HIP_PLATFORM} (${_listed}): ${LADDER_HIP_SOURCE}")

# Flags, in addition to ladder_flags, for .hip sources and for C++ sources of the same targets that include HIP's headers. Not
# for targets that only link these.
add_library(ladder_hip_platform INTERFACE)
if(LADDER_HIP_PLATFORM STREQUAL "nvidia")
  target_compile_definitions(ladder_hip_platform INTERFACE __HIP_PLATFORM_NVIDIA__=1)
  target_compile_options(ladder_hip_platform INTERFACE "SHELL:-include ${PROJECT_SOURCE_DIR}/common/runtime/before_cuda_13.hpp")
  # With -isystem, a default include folder would precede the folders that reach it by #include_next.
  if(NOT LADDER_HIP_INCLUDE_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    target_include_directories(ladder_hip_platform SYSTEM INTERFACE "${LADDER_HIP_INCLUDE_DIR}")
  endif()
  target_link_libraries(ladder_hip_platform INTERFACE ${LADDER_CUDART})
else()
  target_compile_definitions(ladder_hip_platform INTERFACE $<$<COMPILE_LANGUAGE:CXX>:__HIP_PLATFORM_AMD__=1>)
  # Clang's vectorizer would interleave two iterations of an integer loop before `#pragma unroll` applies. Rungs with the same
  # loops (common/gpu/index.hpp) would then have twice the loads in flight for some types only.
  target_compile_options(ladder_hip_platform INTERFACE $<$<COMPILE_LANGUAGE:HIP>:-fno-vectorize>)
endif()

# ladder_hip_sources(<target>): call it in the target's own folder, because a source's language applies only there.
function(ladder_hip_sources target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.hip$")
  set_source_files_properties(${sources} PROPERTIES LANGUAGE ${LADDER_HIP_LANGUAGE})
  target_link_libraries(${target} PRIVATE ladder_hip_platform)
endfunction()

# Defines ladder::<name> if HEADER is found. The libraries of AMD's library rungs are header-only; a missing one omits only its
# rung. Their packages require the package hip, whose flags are for projects without the language HIP. On nvidia they would only
# wrap the toolkit's CUB, which the CUDA rungs use.
function(_ladder_hip_headers name header from)
  string(TOUPPER "LADDER_${name}_INCLUDE_DIR" folder)
  find_path(${folder} ${header} HINTS "${LADDER_HIP_ROOT}/include" DOC "The folder of ${name}'s headers")
  mark_as_advanced(${folder})
  if(${folder})
    add_library(ladder::${name} INTERFACE IMPORTED GLOBAL)
    target_include_directories(ladder::${name} SYSTEM INTERFACE "${${folder}}")
  else()
    message(STATUS "${name} not found (${from}): its library rung is left out.")
  endif()
endfunction()

if(LADDER_HIP_PLATFORM STREQUAL "amd")
  _ladder_hip_headers(rocprim rocprim/rocprim.hpp "Debian and Ubuntu: librocprim-dev; ROCm: rocprim-dev")
  if(TARGET ladder::rocprim) # hipCUB requires it
    _ladder_hip_headers(hipcub hipcub/device/device_reduce.hpp "ROCm: hipcub-dev")
  endif()
endif()
