#!/usr/bin/env bash
# Runs the CPU backend and the harness under the sanitizers. Excluded are tests that the tests step runs: detection of wrong
# results, vectors wider than SSE4, and values from real data and NaN, which read the same memory at every size and alignment.
# Also excluded: losing a device at each call, which needs a process per call; and Eigen, which is 5 % of the compilation and
# reads the same guarded inputs in the tests step.
source .ci/shared.sh
without_eigen=-DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON

# Debug information only for line numbers. Two types represent others of their kind and width.
configure cpu-debug '-DCMAKE_CXX_FLAGS_DEBUG=-Og -g1 -D_GLIBCXX_ASSERTIONS' $without_eigen '-DLADDER_CPU_TYPES=i8;i64;f16;f32;f64'
build cpu-debug
run_tests cpu-debug '^(VectorTargets\.|Lost\.AtAnyCall)|_is_found$|_stays_within_its_error_bound$|_treats_NaN_'

# Data races, with clang's OpenMP: Archer reports its synchronisation to the thread sanitizer; GCC's would give false positives.
# Builds and runs only tests with threads (cmake/presets/fragments.json, CMakePresets.json). Three types represent those of
# their widths.
need clang++-15 clang-15
need /usr/lib/llvm-15/lib/libarcher.so libomp-15-dev
configure cpu-tsan $without_eigen '-DLADDER_CPU_TYPES=f16;f32;i64'
build cpu-tsan
run_tests cpu-tsan
