#!/usr/bin/env bash
# As the README says; but with Kokkos, which ./study test would go on without, and with several rungs to a compilation: those of
# the CPU come from the compiler cache then. That a report can be made of committed records is in report.page and report.in_browser.
source .ci/shared.sh

quiet build/host/ci.log cmake --preset host "${unity[@]}"
./study test
