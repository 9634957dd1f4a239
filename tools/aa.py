#!/usr/bin/env python3
"""The A/A trial: the same rung under two names must come out alike.

    tools/aa.py --program build/nvidia/tests/ladder_with_faults --rungs=r16,alias_r16 --sizes=64MiB,1GiB \
                --runs=100 --records=aa.jsonl [further options of the program]

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--records", required=True, type=pathlib.Path)
    arguments, options = parser.parse_known_args()
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.runs):
            file = pathlib.Path(folder) / f"{number}.jsonl"
            shared.printed([arguments.program, *options, f"--records={file}"], f"process {number + 1} failed")
            lines += [line for line in file.read_text().splitlines() if json.loads(line)["kind"] in KEPT]
    arguments.records.write_text("\n".join(lines) + "\n")
    print(measured.aa_table(source.Source(arguments.records.parent, arguments.records.name)).grid(), end="")


if __name__ == "__main__":
    shared.ended(main)
