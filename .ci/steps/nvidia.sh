#!/usr/bin/env bash
# Compiles the NVIDIA code: everything in one process, then several GPUs.
source .ci/shared.sh

if ! command -v nvcc >/dev/null && ! [ -x /usr/local/cuda/bin/nvcc ]; then
  echo 'CUDA, and HIP and Kokkos on CUDA, are not compiled: no nvcc here.'
  exit
fi
# No GPU runs it here, so nvcc's output is not optimized. One type represents all, for CUDA two: the AMD step compiles HIP for
# more types, the tests step Kokkos for all. All code ends as PTX. The assembler gets only rungs with special instructions, for
# every kind of GPU (past_architectures, cuda/CMakeLists.txt). For the others only a kernel's limits (registers, shared memory)
# are left to CI_FULL. Calls of the header are compiled here for CUDA, in the AMD step for HIP; the tests step runs them for
# Kokkos and compiles Kokkos's host spaces. CI_FULL compiles all tests, types and spaces to machine code.
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
# Run the tests that need no GPU and that no other step runs.
ctest --preset nvidia --parallel "$(nproc)" --progress --tests-regex '^(cuda|hip|model|errata|examples)\.|^Device/|^(contract|fault)_tests\.on_gpu$'
# Several devices, and CUDA without HIP and Kokkos; the compiler cache provides the objects of CUDA and the CPU.
configure nvidia-multi "${fast[@]}" -DBUILD_TESTING=OFF
build nvidia-multi ladder
if [ -n "${CI_FULL-}" ]; then
  for preset in cuda hip-nvidia kokkos-cuda; do
    configure $preset "${fast[@]}" -DBUILD_TESTING=OFF
    build $preset ladder
  done
fi
