#!/usr/bin/env bash
# The report can be made. That what is generated in docs/ is what the records and the sources make it is docs_test's.
source .ci/shared.sh

./study report --output build/report docs/results/h200/rungs.jsonl.gz
