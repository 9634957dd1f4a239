#!/usr/bin/env bash
# Runs the tests as the README says, but requires Kokkos, which ./study test can omit, and compiles several rungs at once: the
# CPU's then come from the compiler cache. Tests report.page and report.in_browser build a report from committed records.
source .ci/shared.sh

quiet build/host/ci.log cmake --preset host "${unity[@]}"
./study test
