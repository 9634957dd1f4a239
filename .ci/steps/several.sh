#!/usr/bin/env bash
# Tests several devices: MPI ranks on the CPU, and the loss of a rank.
source .ci/shared.sh

configure mpi -DLADDER_KOKKOS=OFF # its rungs are the same as in preset host
build mpi ladder contract_tests contract_tests_on_shares several_tests release_tests ladder_with_faulty_ranks
ctest --preset mpi --parallel "$(nproc)" --tests-regex \
  '^(several\.ranks\.|Shares\.|Choice\.|OneProcess\.|OnThree\.|Release\.|Contract/several)'
