# Four interface targets carry all flags of the project:
#   ladder_flags               include root, C++20, warnings; linked by every folder
#   ladder_cpu_arch            -march; linked only by code that is measured on the CPU, so common/ and bench/ stay generic
#   ladder_cpu_arch_cuda_host  the same -march for nvcc's host compiler: Kokkos's host spaces are measured on the CPU too,
#                              and are compiled as CUDA if Kokkos is; cuda/ does not link it
#   ladder_highway_flags       for sources that Highway compiles once per target, without any -march

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
    # nvcc generates host code for which -Wpedantic and -Wshadow would warn. A single string: in a list, deduplication of
    # options would remove the second -Xcompiler.
    "$<${_cuda}:-Xcompiler=-Wall,-Wextra;--expt-relaxed-constexpr;--extended-lambda>"
    "$<${_hip}:-Wall;-Wextra;-Wpedantic;-Wshadow>")
# GCC 12 reports a nonexistent overlap in "literal" + std::string(...) (GCC bug 105329).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(ladder_flags INTERFACE "$<${_cxx}:-Wno-restrict>")
endif()
if(LADDER_WERROR)
  target_compile_options(
    ladder_flags INTERFACE "$<$<OR:${_cxx},${_hip}>:-Werror>" "$<${_cuda}:SHELL:-Werror all-warnings;-Xcompiler=-Werror>")
endif()

if(LADDER_SANITIZE)
  add_compile_options("-fsanitize=${LADDER_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options("-fsanitize=${LADDER_SANITIZE}")
endif()
if(LADDER_FUZZ) # coverage instrumentation for libFuzzer
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

add_library(ladder_cpu_arch INTERFACE)
add_library(ladder_cpu_arch_cuda_host INTERFACE)
if(LADDER_CPU_ARCH)
  target_compile_options(
    ladder_cpu_arch
    INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-march=${LADDER_CPU_ARCH}>"
              "$<$<COMPILE_LANGUAGE:HIP>:SHELL:-Xarch_host -march=${LADDER_CPU_ARCH}>") # host spaces of Kokkos on HIP
  target_compile_options(
    ladder_cpu_arch_cuda_host INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-march=${LADDER_CPU_ARCH}>")
endif()

# On x86 the baseline is SSE4, which all processors since 2011 have. Without these flags Highway's baseline is loops over
# arrays, which took two thirds of c13's compile time. GCC before 12.3 miscompiles high halves of products in such loops (GCC
# bug 106322), so Highway disables them, also on other processors; here they are enabled, as no such products occur.
# Sanitizers multiply the compile time of each target, so only the baseline is compiled, without GCC's variable tracking for
# debuggers.
add_library(ladder_highway_flags INTERFACE)
target_compile_definitions(ladder_highway_flags INTERFACE HWY_BROKEN_EMU128=0)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(ladder_highway_flags INTERFACE -msse4.2 -maes -mpclmul)
endif()
if(LADDER_SANITIZE)
  target_compile_definitions(ladder_highway_flags INTERFACE HWY_COMPILE_ONLY_STATIC)
  target_compile_options(ladder_highway_flags INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-var-tracking>")
endif()
