# Four interface targets carry every flag of the project:
#   ladder_flags               include root, C++20, warnings; every folder links it
#   ladder_cpu_arch            -march; only the code that is measured on the CPU links it, common/ and bench/ stay generic
#   ladder_cpu_arch_cuda_host  the same -march for what nvcc passes to the host's compiler: Kokkos's host spaces are
#                              measured on the CPU too, and are compiled as CUDA where Kokkos is; cuda/ does not link it
#   ladder_highway_flags       for sources that Highway compiles once for each of its targets, without any -march

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_library(ladder_flags INTERFACE)
target_include_directories(ladder_flags INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include")
target_compile_features(ladder_flags INTERFACE cxx_std_20)

set(_cxx "$<COMPILE_LANGUAGE:CXX>")
set(_cuda "$<COMPILE_LANGUAGE:CUDA>")
set(_hip "$<COMPILE_LANGUAGE:HIP>")
target_compile_options(
  ladder_flags
  INTERFACE
    "$<${_cxx}:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wsign-conversion;-Wnon-virtual-dtor;-Woverloaded-virtual;-Wundef>"
    # nvcc writes the host code itself: -Wpedantic and -Wshadow would speak of its code, not of ours.
    # One string: a list would lose its second -Xcompiler to the removal of repeated options.
    "$<${_cuda}:-Xcompiler=-Wall,-Wextra;--expt-relaxed-constexpr;--extended-lambda>"
    "$<${_hip}:-Wall;-Wextra;-Wpedantic;-Wshadow>")
# GCC 12 sees an overlap in "literal" + std::string(...) that is not there (GCC bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(ladder_flags INTERFACE "$<${_cxx}:-Wno-restrict>")
endif()
if(LADDER_WERROR)
  target_compile_options(
    ladder_flags INTERFACE "$<$<OR:${_cxx},${_hip}>:-Werror>" "$<${_cuda}:SHELL:-Werror all-warnings;-Xcompiler=-Werror>")
endif()
unset(_cxx)
unset(_cuda)
unset(_hip)

if(LADDER_SANITIZE)
  add_compile_options("-fsanitize=${LADDER_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options("-fsanitize=${LADDER_SANITIZE}")
endif()
if(LADDER_FUZZ) # what libFuzzer is guided by, and what tells which lines it has reached
  add_compile_options(-fsanitize=fuzzer-no-link -fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

add_library(ladder_cpu_arch INTERFACE)
add_library(ladder_cpu_arch_cuda_host INTERFACE)
if(LADDER_CPU_ARCH)
  target_compile_options(
    ladder_cpu_arch
    INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-march=${LADDER_CPU_ARCH}>"
              "$<$<COMPILE_LANGUAGE:HIP>:SHELL:-Xarch_host -march=${LADDER_CPU_ARCH}>") # Kokkos on HIP, its host spaces
  target_compile_options(
    ladder_cpu_arch_cuda_host INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-march=${LADDER_CPU_ARCH}>")
endif()

# Without SSSE3, which no processor has that lacks SSE4. GCC before 12.3 gets the high halves of products wrong in Highway's
# least target, vectors in plain C++ (GCC bug 106322), so Highway leaves that out: here are no such products.
# Sanitizers make each target some times as long to compile: then the widest and one with vectors of 16 bytes have to do. On an
# x86 that is SSE4 in place of the least, whose vectors are loops over arrays: c13 takes one minute for eight. GCC does not follow
# for a debugger where the optimizer keeps each variable, either.
add_library(ladder_highway_flags INTERFACE)
set(_disabled HWY_SSSE3)
if(LADDER_SANITIZE)
  set(_disabled "(HWY_SSSE3|HWY_AVX2)")
  target_compile_options(ladder_highway_flags INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-var-tracking>")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(ladder_highway_flags INTERFACE -msse4.2 -maes -mpclmul)
  endif()
endif()
target_compile_definitions(ladder_highway_flags INTERFACE "HWY_DISABLED_TARGETS=${_disabled}" HWY_BROKEN_EMU128=0)
unset(_disabled)
