#!/usr/bin/env bash
# The CPU's backend and the harness under the sanitizers: the rungs by the contract's tests. What the fault tests ask, whether
# a wrong result is called wrong, is asked of the fast executable in the step of the tests.
source .ci/shared.sh

build cpu-debug -DCMAKE_UNITY_BUILD=ON # of which each file alone is compiled by host
run_tests cpu-debug '^Faults/'
