#!/usr/bin/env python3
"""Turns records files into the form that is committed.

    tools/pack.py IN... OUT.jsonl.gz

The right samples of a measurement in a process become one line of kind `samples`, in whole nanoseconds, before its summary; all
else stays as it is. A process that was stopped is left out, and told, and so is what the report cannot read. Exit status: 0
packed; 1 packed, and something was left out; 2 nothing could be packed.
"""

import argparse
import collections
import gzip
import json
import pathlib
import sys

import shared
from shared import Failure

try:
    from report import records
except ImportError as error:
    sys.exit(f"{error.name} is not installed (./study setup installs it)")


class Reader(records.Reader):
    """The report's reader, which keeps what it reads: the right samples by measurement, the other records with their lines."""

    def __init__(self):
        super().__init__()
        self.right, self.others_read = {}, []

    def take(self, file, number, line):
        record = super().take(file, number, line)
        if record is not None and record["kind"] == "sample" and record["ok"]:
            self.right.setdefault((record["run"], record["id"]), []).append(record)
        elif record is not None:
            self.others_read.append((record, line.strip()))
        return record

    def stopped(self):
        """The runs of processes that lack a summary, or rounds of energy, or measured nothing where they should have."""
        pieces = {self.piece(run) for run, _ in self.unfinished()}
        rounds = collections.Counter((one["run"], one["id"]) for one in self.others["energy"])
        open_rounds = {one["run"] for one in self.others["energy"] if rounds[one["run"], one["id"]] < one["rounds"]}
        measured = {self.piece(run) for run, _ in [*self.measurements, *self.summaries, *rounds]}
        return open_rounds | {run for run, record in self.runs.items()
                              if self.piece(run) in pieces or record.get("process") and self.piece(run) not in measured}

    def piece(self, run):
        return self.process_of(run) if self.runs[run].get("process") else run


def packed(run, name, samples):
    """One line that stands for these right samples."""
    results = collections.Counter(one["result"] for one in samples if "result" in one)
    return json.dumps({"kind": "samples", "run": run, "id": name, "nanoseconds": [round(1e9 * one["seconds"]) for one in samples],
                       "ulps": max((one["ulps"] for one in samples if one.get("ulps") is not None), default=None),
                       **({"results": results} if results else {})}, separators=(",", ":"), ensure_ascii=False)


def lines_of(reader):
    """(lines to write, sentences of what was left out)"""
    samples = {key: packed(*key, some) for key, some in reader.right.items()}
    reader.carry_over()
    stopped, lines = reader.stopped(), []
    for record, text in reader.others_read:
        key = record.get("run"), record.get("id")
        if key[0] not in stopped:
            lines += [samples.pop(key)] if record["kind"] == "summary" and key in samples else []
            lines.append(text)
    lines += [text for (run, _), text in samples.items() if run not in stopped]  # what a later piece of the process finished
    told = [f"run {run} was stopped: left out" for run in reader.runs if run in stopped]
    return lines, [*map(str, reader.problems()), *told]


def write(path, lines):
    """Without the time, so that the same records are the same bytes."""
    pathlib.Path(path).write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0))


def main(words=None):
    parser = argparse.ArgumentParser(description="Turns records files into the form that is committed.")
    parser.add_argument("records", nargs="+", metavar="IN", help="records files (*.jsonl, *.jsonl.gz)")
    parser.add_argument("out", metavar="OUT.jsonl.gz")
    arguments = parser.parse_args(words)
    reader = Reader()
    for path in arguments.records:
        reader.read(path)
    lines, told = lines_of(reader)
    for sentence in told:
        print(f"pack: {sentence}", file=sys.stderr)
    if not lines:
        raise Failure("there is nothing to pack")
    try:
        write(arguments.out, lines)
    except OSError as error:
        raise Failure(f"{arguments.out}: cannot be written: {error.strerror}") from None
    return 1 if told else 0


if __name__ == "__main__":
    shared.ended(main)
