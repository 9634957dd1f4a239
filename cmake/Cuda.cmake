# Enables CUDA: finds nvcc, selects the GPU architectures and links the CUDA runtime statically (nvcc's default), so that an
# executable runs without the toolkit. Shared libraries share one runtime instead: with one each, each would have its own state.
# LADDER_CUDART is the library to link.

# Debian's nvcc is in the PATH; NVIDIA's packages install it elsewhere.
find_program(
  LADDER_NVCC nvcc
  HINTS "$ENV{CUDACXX}" ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda /opt/cuda
  PATH_SUFFIXES bin
  DOC "The CUDA compiler")
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  if(NOT LADDER_NVCC)
    message(FATAL_ERROR
      "nvcc was not found: install the CUDA toolkit (13.0 or newer) and put its bin folder in PATH or name it in CUDA_HOME, or "
      "configure without what needs it (-DLADDER_CUDA=OFF, -DLADDER_HIP=OFF, -DLADDER_KOKKOS_SPACES=openmp).")
  endif()
  set(CMAKE_CUDA_COMPILER "${LADDER_NVCC}" CACHE FILEPATH "The CUDA compiler")
endif()

# The minimum is the oldest version that has compiled these sources. Checked before CMake tries the compiler, whose own message
# about C++20 or a too new host compiler would come first.
set(_nvcc "${CMAKE_CUDA_COMPILER}")
if(NOT _nvcc)
  set(_nvcc "$ENV{CUDACXX}")
endif()
execute_process(COMMAND "${_nvcc}" --version OUTPUT_VARIABLE _said ERROR_QUIET)
if(_said MATCHES "release ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_LESS 13.0)
  message(FATAL_ERROR
    "${_nvcc} is of CUDA ${CMAKE_MATCH_1}: CUDA 13.0 or newer is needed, as no older compiler has built and tested these "
    "sources.")
endif()

# Never `native` in a preset: without a GPU it either stops or silently compiles for nvcc's oldest. Uses the GPUs found, else 90
# (an H100 or H200, and PTX for later ones).
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(_capabilities "")
  execute_process(
    COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE _seen
    RESULT_VARIABLE _failed
    ERROR_QUIET
    TIMEOUT 30)
  if(NOT _failed)
    string(REGEX MATCHALL "[0-9]+\\.[0-9]+" _capabilities "${_seen}")
    list(TRANSFORM _capabilities REPLACE "\\." "")
    list(REMOVE_DUPLICATES _capabilities)
    list(SORT _capabilities COMPARE NATURAL)
    list(TRANSFORM _capabilities APPEND "-real")
  endif()
  if(_capabilities)
    message(STATUS "CUDA architectures: ${_capabilities} (the GPUs of this machine)")
  else()
    set(_capabilities "90")
    message(STATUS "CUDA architectures: 90 (no GPU seen here: the default)")
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${_capabilities}" CACHE STRING "GPU architectures to compile for")
endif()

if(BUILD_SHARED_LIBS)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  set(LADDER_CUDART CUDA::cudart)
else()
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  set(LADDER_CUDART CUDA::cudart_static)
endif()
enable_language(CUDA)
# After enable_language, which looks up the compiler's own default: that is older than the sources need.
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
find_package(CUDAToolkit REQUIRED)

ladder_compiler_facts(cuda CUDA)
ladder_build_fact(cuda architectures "${CMAKE_CUDA_ARCHITECTURES}")
