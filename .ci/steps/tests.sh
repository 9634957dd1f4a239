#!/usr/bin/env bash
# As the README says; but with Kokkos, which ./study test would go on without, and with several rungs to a compilation: those of
# the CPU come from the compiler cache then.
source .ci/shared.sh

quiet build/host/ci.log cmake --preset host "${unity[@]}"
./study test
