#!/usr/bin/env bash
# Several devices: ranks of an MPI on the CPU, and what happens when one of them is lost.
source .ci/shared.sh

configure mpi -DLADDER_KOKKOS=OFF # whose rungs come there as they are on host
build mpi ladder contract_tests contract_tests_on_shares several_tests release_tests ladder_with_faulty_ranks
ctest --preset mpi --parallel "$(nproc)" --tests-regex \
  '^(several\.ranks\.|Shares\.|Choice\.|OneProcess\.|OnThree\.|Release\.|Contract/several)'
