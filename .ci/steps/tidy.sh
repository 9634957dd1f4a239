#!/usr/bin/env bash
# clang-tidy over the C++ of the host, as build/host compiles it; without the slowest checks (.clang-tidy).
source .ci/shared.sh

# What is not compiled here for want of a library has no command, and is left out. The compiler's warnings are the build's own
# affair: that of the build is GCC, some of whose names clang does not know.
sed -n "s|^ *\"file\": \"$PWD/\(.*\.cpp\)\",\?\$|\1|p" build/host/compile_commands.json | grep -E '^(common|cpu|bench)/' | sort -u |
  xargs -n 1 -P "$(nproc)" clang-tidy-15 -p build/host --quiet --checks='-clang-analyzer-*,-misc-const-correctness' --warnings-as-errors='*' \
    --extra-arg=-Wno-error --extra-arg=-Wno-unknown-warning-option \
    2> >(grep -v 'warnings generated\|^Suppressed\|^Use -header' >&2)
