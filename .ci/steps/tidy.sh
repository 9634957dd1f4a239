#!/usr/bin/env bash
# Runs clang-tidy on the host's C++ without the slowest checks (.clang-tidy). It checks all sources of a target at once, since
# headers dominate the time, and Highway's sources for one vector type. Sources whose library is missing here have no compile
# command and are skipped.
source .ci/shared.sh

quiet build/tidy/ci.log cmake --preset cpu -B build/tidy -DBUILD_TESTING=OFF -DCMAKE_UNITY_BUILD=ON -DLADDER_UNITY=ON \
  -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 \
  -DCMAKE_CXX_FLAGS_RELEASE= # so that no source of bench/ has special flags
# A declaration in one source and a definition in the next are redundant to clang-tidy.
without='-clang-analyzer-*,-misc-const-correctness,-readability-redundant-declaration'
# Ignore compiler warnings: the build uses GCC, and clang does not know all of its warning names.
sed -n 's|^ *"file": "\(.*\)",\?$|\1|p' build/tidy/compile_commands.json | grep -E "^$PWD/(build/tidy/)?(common|cpu|bench)/" |
  grep -vE '/ladder_backends.dir/|/backends.cpp$|/bench/main.cpp$' | sort -u | # generated, or already among a target's sources
  xargs -n 1 -P "$(nproc)" clang-tidy-15 -p build/tidy --quiet --checks="$without" --warnings-as-errors='*' \
    --extra-arg=-DHWY_COMPILE_ONLY_STATIC --extra-arg=-Wno-error --extra-arg=-Wno-unknown-warning-option \
    2> >(grep -v 'warnings generated\|^Suppressed\|^Use -header' >&2)
