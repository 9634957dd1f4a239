#!/usr/bin/env bash
# What an AMD GPU can run, for one of each kind: CDNA's waves of 64 and their successor's, RDNA's of 32.
source .ci/shared.sh

build hip-amd '-DCMAKE_HIP_ARCHITECTURES=gfx90a;gfx940;gfx1030'
run_tests hip-amd
python3 tools/amd_static.py --build build/hip-amd --check
