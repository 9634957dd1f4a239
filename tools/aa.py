#!/usr/bin/env python3
"""The A/A trial: the same rung under two names must come out alike.

    tools/aa.py --program build/nvidia/tests/ladder_with_faults --rungs=r16,alias_r16 --sizes=64MiB,1GiB \
                --runs=100 --records=aa.jsonl [-- further options of the program]

Starts the program again and again, and writes to the records file what each process found out (its `run`, `measurement`
and `summary` records, not the samples). Prints, for each size, in how many processes the two medians differ by at most
1 %, and the median and the 95th percentile of the difference.
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

KEPT = ("run", "conditions", "measurement", "summary")


def one_process(program, options, number):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "records.jsonl"
        done = subprocess.run([program, *options, f"--records={path}"], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"process {number} failed:\n{done.stdout}{done.stderr}")
        lines = path.read_text().splitlines()
    return [line for line in lines if json.loads(line)["kind"] in KEPT]


def differences(lines):
    """By (backend, n, scope): of each process, how far the two medians are apart, as a part of the smaller."""
    names, medians = {}, collections.defaultdict(list)
    for record in map(json.loads, lines):
        if record["kind"] == "measurement":
            names[record["id"]] = (record["backend"], record["n"], record["bytes"], record["scope"])
        elif record["kind"] == "summary":
            medians[record["run"], names[record["id"]]].append(record["median"])
    found = collections.defaultdict(list)
    for (_, key), pair in sorted(medians.items(), key=lambda item: item[0][1]):
        if len(pair) != 2:
            sys.exit(f"{len(pair)} measurements of {key}: an A/A trial has two, alike but for the name")
        found[key].append(max(pair) / min(pair) - 1)
    return found


def percentile95(values):
    return sorted(values)[int(0.95 * (len(values) - 1))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--records", required=True)
    arguments, options = parser.parse_known_args()
    options = [option for option in options if option != "--"]
    lines = []
    for number in range(1, arguments.runs + 1):
        lines += one_process(arguments.program, options, number)
    pathlib.Path(arguments.records).write_text("\n".join(lines) + "\n")
    for (backend, n, size, scope), apart in differences(lines).items():
        close = sum(difference <= 0.01 for difference in apart)
        print(f"{backend} n = {n} ({size} bytes), {scope} scope: at most 1 % apart in {close} of {len(apart)} processes; "
              f"median {100 * statistics.median(apart):.2g} %, 95th percentile {100 * percentile95(apart):.2g} %")


if __name__ == "__main__":
    main()
