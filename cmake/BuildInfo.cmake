# ladder_build_info: the static library behind common/build_info.hpp. The git commit is looked up at each build, and the
# source rewritten only when something in it changed, so that an unchanged tree builds nothing.

function(ladder_add_build_info)
  # What -march=native stands for on this machine.
  set(cpu_arch "${LADDER_CPU_ARCH}")
  if(cpu_arch STREQUAL "native" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    execute_process(
      COMMAND "${CMAKE_CXX_COMPILER}" -march=native -Q --help=target
      OUTPUT_VARIABLE help
      ERROR_QUIET)
    if(help MATCHES "-march=[ \t]+([A-Za-z0-9_.-]+)")
      set(cpu_arch "native (${CMAKE_MATCH_1})")
    endif()
  endif()

  find_package(Git QUIET)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  set(values
    "version=${PROJECT_VERSION}"
    "build_type=${CMAKE_BUILD_TYPE}"
    "cxx_compiler=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    "cxx_flags=${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}"
    "cpu_arch=${cpu_arch}")
  if(LADDER_SANITIZE)
    list(APPEND values "sanitize=-fsanitize=${LADDER_SANITIZE}")
  endif()
  if(LADDER_NEEDS_CUDA)
    string(REPLACE ";" "," architectures "${CMAKE_CUDA_ARCHITECTURES}")
    list(APPEND values
      "cuda_compiler=${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}"
      "cuda_flags=${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_${config}}"
      "cuda_architectures=${architectures}")
  endif()
  if(LADDER_HIP)
    list(JOIN LADDER_HIP_ARCHITECTURES "," architectures)
    set(language "${LADDER_HIP_LANGUAGE}")
    list(APPEND values
      "hip=${LADDER_HIP_VERSION}"
      "hip_platform=${LADDER_HIP_PLATFORM}"
      "hip_source=${LADDER_HIP_SOURCE}"
      "hip_compiler=${CMAKE_${language}_COMPILER_ID} ${CMAKE_${language}_COMPILER_VERSION}"
      "hip_flags=${CMAKE_${language}_FLAGS} ${CMAKE_${language}_FLAGS_${config}}"
      "hip_architectures=${architectures}")
  endif()
  if(LADDER_KOKKOS)
    list(JOIN LADDER_KOKKOS_DEVICES "," devices)
    list(JOIN LADDER_KOKKOS_ARCHITECTURES "," architectures)
    list(APPEND values
      "kokkos=${LADDER_KOKKOS_VERSION}"
      "kokkos_source=${LADDER_KOKKOS_SOURCE}"
      "kokkos_devices=${devices}"
      "kokkos_arch=${architectures}")
  endif()

  set(folder "${PROJECT_BINARY_DIR}/build_info")
  # The values travel in a file: as arguments they would go through two rounds of quoting.
  list(JOIN values "\n" text)
  file(CONFIGURE OUTPUT "${folder}/values.txt" CONTENT "${text}\n" @ONLY)
  add_custom_target(
    ladder_build_info_source
    COMMAND
      "${CMAKE_COMMAND}" "-DGIT=${GIT_EXECUTABLE}" "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DVALUES=${folder}/values.txt"
      "-DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/build_info.cpp.in" "-DOUTPUT=${folder}/build_info.cpp" -P
      "${PROJECT_SOURCE_DIR}/cmake/WriteBuildInfo.cmake"
    BYPRODUCTS "${folder}/build_info.cpp"
    COMMENT "Looking up the commit"
    VERBATIM)
  add_library(ladder_build_info STATIC "${folder}/build_info.cpp")
  add_dependencies(ladder_build_info ladder_build_info_source)
  target_link_libraries(ladder_build_info PUBLIC ladder_flags)
endfunction()

ladder_add_build_info()
