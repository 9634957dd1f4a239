#!/usr/bin/env bash
# clang-tidy over the C++ of the host; without the slowest checks (.clang-tidy). It looks at all sources of a target at once, since
# most of its work is the headers, and at Highway's sources for one kind of vectors. What is not compiled here for want of a
# library has no command, and is left out.
source .ci/shared.sh

quiet build/tidy/ci.log cmake --preset cpu -B build/tidy -DBUILD_TESTING=OFF -DCMAKE_UNITY_BUILD=ON -DLADDER_UNITY=ON \
  -DCMAKE_UNITY_BUILD_BATCH_SIZE=0 \
  -DCMAKE_CXX_FLAGS_RELEASE= # none of bench/'s sources has flags of its own then
# What one source declares and the next one defines is declared twice for clang-tidy.
without='-clang-analyzer-*,-misc-const-correctness,-readability-redundant-declaration'
# The compiler's warnings are the build's own affair: that of the build is GCC, some of whose names clang does not know.
sed -n 's|^ *"file": "\(.*\)",\?$|\1|p' build/tidy/compile_commands.json | grep -E "^$PWD/(build/tidy/)?(common|cpu|bench)/" |
  grep -vE '/ladder_backends.dir/|/backends.cpp$|/bench/main.cpp$' | sort -u | # generated, or in a target's sources already
  xargs -n 1 -P "$(nproc)" clang-tidy-15 -p build/tidy --quiet --checks="$without" --warnings-as-errors='*' \
    --extra-arg=-DHWY_COMPILE_ONLY_STATIC --extra-arg=-Wno-error --extra-arg=-Wno-unknown-warning-option \
    2> >(grep -v 'warnings generated\|^Suppressed\|^Use -header' >&2)
