#!/usr/bin/env bash
# The report can be made. Whether what is generated in docs/ is what the records and the sources make it, docs_test asks.
source .ci/shared.sh

./study report --output build/report docs/results/h200/rungs.jsonl.gz
