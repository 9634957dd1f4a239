#!/usr/bin/env bash
# What an NVIDIA GPU can run: all of it in one process, then that each single preset links without the others: its objects come
# from the compiler cache. kokkos-cuda is another Kokkos: it is built where CI_FULL is set.
source .ci/shared.sh

if ! command -v nvcc >/dev/null && ! [ -x /usr/local/cuda/bin/nvcc ]; then
  echo 'CUDA, and HIP and Kokkos on CUDA, are not compiled: no nvcc here.'
  build_program kokkos-openmp
  exit
fi
# No GPU runs it here, so that what nvcc compiles need not be fast. HIP's sources are compiled for every type in the step of
# AMD's GPUs, Kokkos's in that of the host: here one type stands for all, and of CUDA's three; several sources at a time. With
# CI_FULL it is all types, and each source by itself. The rungs that ask what the GPU has are compiled for every kind of GPU, on
# more types (cuda/CMakeLists.txt).
fast=('-DCMAKE_CUDA_FLAGS_RELEASE=-O0 -DNDEBUG --Ofast-compile=mid')
if [ -z "${CI_FULL-}" ]; then
  fast+=(-DLADDER_UNITY=ON '-DLADDER_CUDA_TYPES=f32;f64;i8' -DLADDER_HIP_TYPES=f32 -DLADDER_KOKKOS_TYPES=f32)
fi
quiet build/nvidia/ci.log cmake --preset nvidia "${fast[@]}"
quiet build/nvidia/ci.log cmake --build --preset nvidia --target all past_architectures
# But not those of the host's backends and of the harness, which host has too, nor HIP's waves on a CPU, which hip-amd has.
run_tests nvidia '^(Contract|Faults)/|^(VectorTargets|program|Program|Lost|Stopped)\.|^long_study\.cpu|^waves_of_'
# Past one device: its own sources, of which nvidia has none.
quiet build/nvidia-multi/ci.log cmake --preset nvidia-multi -DBUILD_TESTING=OFF
for source in backend m02_peer_writes; do
  quiet build/nvidia-multi/ci.log cmake --build build/nvidia-multi --target "several/cuda/CMakeFiles/ladder_several_cuda.dir/$source.cu.o"
done
build_program cuda "${fast[@]}"
build_program hip-nvidia "${fast[@]}"
if [ -n "${CI_FULL-}" ]; then
  build_program kokkos-cuda "${fast[@]}"
else
  quiet build/kokkos-cuda/ci.log cmake --preset kokkos-cuda
fi
