#!/usr/bin/env bash
# As the README says.
source .ci/shared.sh

./study test
