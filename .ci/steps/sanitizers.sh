#!/usr/bin/env bash
# The CPU's backend and the harness under the sanitizers.
source .ci/shared.sh

build cpu-debug
run_tests cpu-debug
