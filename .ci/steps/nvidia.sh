#!/usr/bin/env bash
# What an NVIDIA GPU can run: all of it in one process, then several GPUs.
source .ci/shared.sh

if ! command -v nvcc >/dev/null && ! [ -x /usr/local/cuda/bin/nvcc ]; then
  echo 'CUDA, and HIP and Kokkos on CUDA, are not compiled: no nvcc here.'
  exit
fi
# No GPU runs it here, so that what nvcc compiles need not be fast. HIP's sources are compiled for more types in the step of AMD's
# GPUs, Kokkos's for all in that of the tests: here one type stands for all, and of CUDA's two. All of it ends as PTX. The
# assembler sees the rungs that have instructions of their own, for every kind of GPU (past_architectures, cuda/CMakeLists.txt):
# the others have none, so only a kernel's limits (registers, shared memory) are left to CI_FULL. Calls of the header are compiled
# for CUDA; the step of AMD's GPUs compiles the same tests for HIP, that of the tests runs them for Kokkos. Kokkos's host spaces
# are compiled there too. CI_FULL compiles all tests, types and spaces to machine code.
fast=('-DCMAKE_CUDA_FLAGS_RELEASE=-O0 -DNDEBUG --Ofast-compile=max')
tests=(contract_tests fault_tests device_tests cuda_tests two_libraries kokkos_example_mean kokkos_example_column_means)
if [ -z "${CI_FULL-}" ]; then
  fast+=('-DLADDER_CUDA_TYPES=f32;i8' -DLADDER_HIP_TYPES=f32 -DLADDER_KOKKOS_TYPES=f32 -DLADDER_KOKKOS_SPACES=cuda
    -DCMAKE_CUDA_ARCHITECTURES=90-virtual)
else
  tests+=(hip_tests kokkos_tests kokkos_team_tests)
fi
configure nvidia "${fast[@]}"
build nvidia ladder past_architectures ladder_variants "${tests[@]}"
# Of these the tests that need no GPU and that no other step runs.
ctest --preset nvidia --parallel "$(nproc)" --progress --tests-regex '^(cuda|hip|model|errata|examples)\.|^Device/|^(contract|fault)_tests\.on_gpu$'
# Several devices, and CUDA without HIP and Kokkos; the objects of CUDA and the CPU come from the compiler cache.
configure nvidia-multi "${fast[@]}" -DBUILD_TESTING=OFF
build nvidia-multi ladder
if [ -n "${CI_FULL-}" ]; then
  for preset in cuda hip-nvidia kokkos-cuda; do
    configure $preset "${fast[@]}" -DBUILD_TESTING=OFF
    build $preset ladder
  done
fi
