#!/usr/bin/env bash
# What an NVIDIA GPU can run: all of it in one process, then that each single preset links without the others. Most of their
# objects are the compiler cache's. kokkos-cuda is another Kokkos, so that nothing of it is: it is built where CI_FULL is set.
source .ci/shared.sh

if ! command -v nvcc >/dev/null && ! [ -x /usr/local/cuda/bin/nvcc ]; then
  echo 'CUDA, and HIP and Kokkos on CUDA, are not compiled: no nvcc here.'
  build_program kokkos-openmp
  exit
fi
build nvidia
run_tests nvidia
build_program cuda
build_program hip-nvidia
if [ -n "${CI_FULL-}" ]; then
  build_program kokkos-cuda
else
  quiet build/kokkos-cuda/ci.log cmake --preset kokkos-cuda
fi
