#!/usr/bin/env bash
# Compiles the AMD code for CDNA's waves of 64 and, with one type, for RDNA's of 32. Each type represents its width; NVIDIA's
# step takes others. No GPU runs it here, so the code is not optimized. CI_FULL compiles all types at -O3.
source .ci/shared.sh

# Several devices, without m01: Debian 12 has no RCCL.
fast=()
if [ -z "${CI_FULL-}" ]; then fast=('-DLADDER_HIP_TYPES=f16;f32;i64' '-DCMAKE_HIP_FLAGS_RELEASE=-O1 -DNDEBUG'); fi
configure amd-multi "-DCMAKE_HIP_ARCHITECTURES=gfx90a${CI_FULL:+;gfx940;gfx1030}" "${fast[@]}"
build amd-multi ladder waves_of_32 contract_tests fault_tests device_tests hip_tests hip_waves_32_tests hip_waves_64_tests hip_patterns
# Run the tests that need no GPU and that no other step runs.
ctest --preset amd-multi --parallel "$(nproc)" --progress --tests-regex '^(hip|waves_of_[0-9]+)\.|^hip_|^Device/|^(contract|fault)_tests\.on_gpu$'
if [ -n "${CI_FULL-}" ]; then
  configure hip-amd -DBUILD_TESTING=OFF -DCMAKE_HIP_ARCHITECTURES=gfx90a -DLADDER_HIP_TYPES=f32
  build hip-amd ladder
fi
