#!/usr/bin/env bash
# What an AMD GPU can run, for one of each kind: CDNA's waves of 64, RDNA's of 32; where CI_FULL is set CDNA's successor too.
source .ci/shared.sh

build hip-amd "-DCMAKE_HIP_ARCHITECTURES=gfx90a;gfx1030${CI_FULL:+;gfx940}"
run_tests hip-amd
# Past one device: its own sources, of which hip-amd has none. m01 is left out: Debian 12 has no RCCL.
quiet build/amd-multi/ci.log cmake --preset amd-multi -DBUILD_TESTING=OFF -DCMAKE_HIP_ARCHITECTURES=gfx90a
for source in backend m02_peer_writes; do
  quiet build/amd-multi/ci.log cmake --build build/amd-multi --target "several/hip/CMakeFiles/ladder_several_hip.dir/$source.hip.o"
done
