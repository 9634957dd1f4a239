#!/usr/bin/env bash
# The CPU's backend and the harness under the sanitizers. Whether a wrong result is called wrong is asked without them in the
# step of the tests, and there are wider vectors than SSE4. So is what values come out of real data and of NaN: the same memory is
# read at every size and alignment. One that loses a device at each of its calls takes a process for each. Eigen is 5 % of what
# is compiled, and its rung reads the same guarded inputs in the step of the tests.
source .ci/shared.sh
without_eigen=-DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON

# No more for a debugger than the lines that a finding names. Two types stand for others of their kind and width.
configure cpu-debug '-DCMAKE_CXX_FLAGS_DEBUG=-Og -g1 -D_GLIBCXX_ASSERTIONS' $without_eigen '-DLADDER_CPU_TYPES=i8;i64;f16;f32;f64'
build cpu-debug
run_tests cpu-debug '^(VectorTargets\.|Lost\.AtAnyCall)|_is_found$|_stays_within_its_error_bound$|_treats_NaN_'

# Races, with clang's OpenMP, whose synchronisation the thread sanitizer is told of (Archer): GCC's would be full of false ones.
# Of the tests those that have threads (cmake/presets/fragments.json), and no more is built than they need (CMakePresets.json).
# Three types stand for those of their widths.
need clang++-15 clang-15
need /usr/lib/llvm-15/lib/libarcher.so libomp-15-dev
configure cpu-tsan $without_eigen '-DLADDER_CPU_TYPES=f16;f32;i64'
build cpu-tsan
run_tests cpu-tsan
