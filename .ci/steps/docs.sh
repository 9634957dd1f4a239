#!/usr/bin/env bash
# The report can be made, and what is generated in docs/ is what the records and the sources make it.
source .ci/shared.sh

./study report --output build/report docs/results/h200/rungs.jsonl.gz
python3 tools/docs.py --check --ladder build/host/bench/ladder
