# Finds HIP's headers for NVIDIA GPUs, for the build (cmake/Hip.cmake) and for the report of cmake/Look.cmake.
#   LADDER_HIP_INCLUDE_DIR  their folder; false if not found
#   LADDER_HIP_VERSION      5.2.21153

find_path(
  LADDER_HIP_INCLUDE_DIR hip/nvidia_detail/nvidia_hip_runtime_api.h
  HINTS ENV ROCM_PATH ENV HIP_PATH
  PATHS /opt/rocm
  PATH_SUFFIXES include
  DOC "The folder of HIP's headers")
mark_as_advanced(LADDER_HIP_INCLUDE_DIR)
set(_lines "")
if(EXISTS "${LADDER_HIP_INCLUDE_DIR}/hip/hip_version.h")
  file(STRINGS "${LADDER_HIP_INCLUDE_DIR}/hip/hip_version.h" _lines REGEX "HIP_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
endif()
string(REGEX MATCHALL "[0-9]+" LADDER_HIP_VERSION "${_lines}")
list(JOIN LADDER_HIP_VERSION "." LADDER_HIP_VERSION)
