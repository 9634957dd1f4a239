#!/usr/bin/env bash
# As the README says; but with Kokkos, which ./study test would go on without.
source .ci/shared.sh

quiet build/host/ci.log cmake --preset host
./study test
