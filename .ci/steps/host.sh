#!/usr/bin/env bash
# Every backend that needs no accelerator; here, since ./study test would go on without Kokkos.
source .ci/shared.sh

build host
