#!/usr/bin/env python3
"""The A/A trial: the same rung under two names must come out alike.

    tools/aa.py --program build/nvidia/tests/ladder_with_faults --rungs=r16,alias_r16 --sizes=64MiB,1GiB \
                --runs=100 --records=aa.jsonl [-- further options of the program]

Starts the program again and again, and writes to the records file what each process found out (its `run`, `measurement`
and `summary` records, not the samples). Prints, for each size, in how many processes the two medians differ by at most
1 %, and the median and the 95th percentile of the difference: the table of kind `aa` of docs.py.
"""

import argparse
import json
import pathlib
import sys
import tempfile

import shared

try:
    from report.pages import measured, source
except ImportError as error:
    sys.exit(f"{error.name} is not installed (./study setup installs it)")

KEPT = ("run", "conditions", "measurement", "summary")


def one_process(program, options, number):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "records.jsonl"
        shared.printed([program, *options, f"--records={path}"], f"process {number} failed")
        lines = path.read_text().splitlines()
    return [line for line in lines if json.loads(line)["kind"] in KEPT]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--records", required=True)
    arguments, options = parser.parse_known_args()
    options = [option for option in options if option != "--"]
    lines = [line for number in range(1, arguments.runs + 1) for line in one_process(arguments.program, options, number)]
    path = pathlib.Path(arguments.records)
    path.write_text("\n".join(lines) + "\n")
    print(measured.aa_table(source.Source(path.parent, path.name)).grid(), end="")


if __name__ == "__main__":
    shared.ended(main)
