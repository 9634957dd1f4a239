#!/usr/bin/env bash
# What an AMD GPU can run, for one of each kind: CDNA's waves of 64, RDNA's of 32; where CI_FULL is set CDNA's successor too.
source .ci/shared.sh

build hip-amd "-DCMAKE_HIP_ARCHITECTURES=gfx90a;gfx1030${CI_FULL:+;gfx940}"
run_tests hip-amd
python3 tools/amd_static.py --build build/hip-amd --check
