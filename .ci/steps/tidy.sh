#!/usr/bin/env bash
# clang-tidy over the C++ of the host, as build/host compiles it; without the analyzer, which takes three quarters of the time.
source .ci/shared.sh

git ls-files -z 'common/*.cpp' 'cpu/*.cpp' 'bench/*.cpp' | xargs -0 -n 1 -P "$(nproc)" \
  clang-tidy-15 -p build/host --quiet --checks='-clang-analyzer-*' --warnings-as-errors='*' 2> >(grep -v 'warnings generated\|^Suppressed\|^Use -header' >&2)
