#!/usr/bin/env python3
"""Compares the source of each rung with that of its base: a step must remain a single change.

    tools/rung_diffs.py --ladder build/host/bench/ladder [--source FOLDER] [--update]

The ladder defines each rung's base; all folders with rungs (cuda/rungs, cpu/rungs, ...) are checked. Head comments, blank
lines, indentation and the rung's own name are ignored. A changed line counts once as removed and once as added.
tools/rung_diffs.csv has the reviewed number of lines of each step in each folder; exit status 1 if a step has another number,
or none there. --update rewrites the file, for the next review.
"""

import argparse
import csv
import pathlib
import sys

from shared import ROOT, ended, listing

# isort: split
from report import sources  # found by shared


def steps(listed, source):
    """{(rung, base, folder): differing lines} of every step whose two files exist."""
    found = {}
    for rung in (rung for ladder in listed["ladders"].values() for rung in ladder):
        for folder in sorted(source.glob("*/rungs")):
            files = {path.name.split("_")[0]: path for path in folder.iterdir()}
            if rung["id"] in files and rung["base"] in files:
                lines = sources.changes(*(sources.of_file(files[rung[name]]) for name in ("base", "id")), context=0)
                found[rung["id"], rung["base"], folder.parent.name] = [line for line in lines if line[0] in "+-"]
    return found


def read_limits(path):
    """{(rung, base, folder): reviewed number of lines}"""
    with open(path, newline="") as file:
        return {(rung, base, folder): int(count) for rung, base, folder, count in csv.reader(file)}


def write_limits(path, found):
    with open(path, "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([*step, len(lines)] for step, lines in found.items())


def main():
    parser = argparse.ArgumentParser(description="Compares each rung's source with its base's.")
    parser.add_argument("--ladder", required=True, help="the built program")
    parser.add_argument("--source", type=pathlib.Path, default=ROOT, help="where the backends' folders are")
    parser.add_argument("--limits", type=pathlib.Path, default=ROOT / "tools" / "rung_diffs.csv")
    parser.add_argument("--update", action="store_true", help="write the limits as they are now")
    arguments = parser.parse_args()
    found = steps(listing(arguments.ladder), arguments.source)
    if not found:
        sys.exit(f"no rung with its base under {arguments.source}/*/rungs")
    if arguments.update:
        write_limits(arguments.limits, found)
        return 0
    limits, bad = read_limits(arguments.limits), []
    for (rung, base, folder), lines in found.items():
        limit = limits.pop((rung, base, folder), None)
        if limit != len(lines):
            reviewed = "it has not been reviewed" if limit is None else f"{limit} were reviewed"
            bad.append("\n  ".join([f"{folder}: {rung} differs from {base} in {len(lines)} lines, {reviewed}:", *lines]))
    bad += [f"{folder}: {rung} against {base} is reviewed, but not there" for rung, base, folder in limits]
    if bad:
        bad.append("A step that outgrew its idea has to be made smaller, or become two. Otherwise: --update, and review.")
    print("\n".join([*bad, f"{len(found)} steps looked at"]))
    return 1 if bad else 0


if __name__ == "__main__":
    ended(main)
