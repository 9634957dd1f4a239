#!/usr/bin/env bash
# Past one device: ranks of an MPI on the CPU, and what happens when one of them is lost.
source .ci/shared.sh

build mpi -DLADDER_KOKKOS=OFF # whose rungs come there as they are on host
ctest --preset mpi --tests-regex '^(several\.ranks\.|Shares\.|Choices\.|PluggedIn\.|OneProcess\.|Release\.|Choice\.|FixedTree\.HasTheSameBitsOnAny|Contract/several)'
