#!/usr/bin/env bash
# The CPU's backend and the harness under the sanitizers: the rungs by the contract's tests. What the fault tests ask, whether
# a wrong result is called wrong, is asked of the fast executable in the step of the tests.
source .ci/shared.sh

# Several sources at a time, since host compiles each by itself; and no more for a debugger than the lines that a finding names.
build cpu-debug -DCMAKE_UNITY_BUILD=ON '-DCMAKE_CXX_FLAGS_DEBUG=-Og -g1 -D_GLIBCXX_ASSERTIONS'
run_tests cpu-debug '^Faults/'

# Races, with clang's OpenMP, whose synchronisation the thread sanitizer is told of (Archer): GCC's would be full of false ones.
# Of the tests those that have threads (cmake/presets/fragments.json), and no more is built than they need (CMakePresets.json).
need clang++-15 clang-15
need /usr/lib/llvm-15/lib/libarcher.so libomp-15-dev
build cpu-tsan -DCMAKE_UNITY_BUILD=ON
run_tests cpu-tsan
