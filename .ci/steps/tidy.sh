#!/usr/bin/env bash
# clang-tidy over the C++ of the host, as build/host compiles it; without the analyzer, which takes three quarters of the time.
source .ci/shared.sh

# What is not compiled here for want of a library has no command, and is left out.
sed -n "s|^ *\"file\": \"$PWD/\(.*\.cpp\)\",\?\$|\1|p" build/host/compile_commands.json | grep -E '^(common|cpu|bench)/' | sort -u |
  xargs -n 1 -P "$(nproc)" clang-tidy-15 -p build/host --quiet --checks='-clang-analyzer-*' --warnings-as-errors='*' \
    2> >(grep -v 'warnings generated\|^Suppressed\|^Use -header' >&2)
