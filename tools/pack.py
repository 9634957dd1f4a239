#!/usr/bin/env python3
"""Turns records files into the form that is committed.

    tools/pack.py [--starts] IN... OUT.jsonl.gz

The right samples of a measurement in a process become one line of kind `samples`, in whole nanoseconds, before its summary.
Equal measurements of a study's processes are written once: the line applies to all processes that have a summary of the
measurement, unless a process has a different line. Summaries omit derived values, and all numbers but the time have at most
seven digits. Everything else is unchanged. Stopped processes and records that the report cannot read are left out and reported.
--starts: each file is from one start of the same command, e.g. of MPI ranks, which `mpirun` starts instead of `--processes`;
the starts become the processes of one study. Exit status: 0 packed; 1 packed, but something was left out; 2 nothing could be
packed.
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


# Fields of a summary that follow from others.
FOLLOWS = {"where", "name", "gbs", "of_peak", "of_ceiling", "of_ceiling_uncertainty", "elements_per_second"}
DIGITS = 7  # for all values except the time, so that no table changes


class Reader(records.Reader):
    """The report's reader, which also stores its input: `described` has measurements, `others_read` all records except these,
    summaries and right samples. `starts`: number of files if each is a start of one command; they become the processes of the
    first one's study."""

    def __init__(self, starts=0):
        super().__init__()
        self.starts = starts
        self.described, self.others_read = {}, []

    def begin(self, record):
        if self.starts:
            first = next(iter(self.runs.values()), record)
            if len(self.runs) + 1 != len(self.files) or record.get("process", {}).get("of", 1) != 1:
                raise Failure(f"{self.files[-1]}: is not of one start")
            if told_apart(record) != told_apart(first):
                raise Failure(f"{self.files[-1]}: has another command, commit, build or device than {self.files[0]}")
            record["process"] = {"index": len(self.files), "of": self.starts, "group": first["run"]}
        return super().begin(record)

    def take(self, line):
        record = super().take(line)
        if record is None:
            return None
        own = {name: value for name, value in record.items() if name != "where"}
        if record["kind"] == "measurement":
            self.described[record["run"], record["id"]] = own
        elif record["kind"] not in ("summary", "samples") and not (record["kind"] == "sample" and record["ok"]):
            self.others_read.append(own)
        return record

    def stopped(self):
        """Runs of processes that lack a summary or energy rounds, or that measured nothing but should have."""
        pieces = {self.piece(run) for run, _ in self.unfinished()}
        rounds = collections.Counter((one["run"], one["id"]) for one in self.others["energy"])
        open_rounds = {one["run"] for one in self.others["energy"] if rounds[one["run"], one["id"]] < one["rounds"]}
        told = [(one["run"], "") for kind in ("evidence", "same_code") for one in self.others[kind]]
        measured = {self.piece(run) for run, _ in [*self.measurements, *self.summaries, *rounds, *told]}
        return open_rounds | {run for run, record in self.runs.items()
                              if self.piece(run) in pieces or record.get("process") and self.piece(run) not in measured}

    def piece(self, run):
        return self.process_of(run) if self.runs[run].get("process") else run


def told_apart(run):
    """Properties that match only between starts of one command."""
    options = [word for word in run["command"][1:] if not word.startswith("--records")]
    return [options, run["commit"], run["build"], [(one["name"], one.get("id")) for one in run["devices"]]]


def text_of(record):
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def shortened(summary):
    """The summary without derived or null fields, and with fewer digits except in the reported time."""
    time = "midmean" if "midmean" in summary else "median"
    return {name: float(f"{value:.{DIGITS}g}") if isinstance(value, float) and name != time else value
            for name, value in summary.items() if name not in FOLLOWS and value is not None}


def of_measurements(reader, stopped):
    """Yields lines of measurements, each followed by the samples and summary of each process that has it."""
    same = collections.defaultdict(list)
    for run, name in reader.measurements:
        if run not in stopped:
            same[reader.group(run), name].append((run, name))
    for keys in same.values():
        first = None
        for key in keys:
            own = reader.described.get(key)
            if own and (first is None or own != first | {"run": key[0]}):
                first = first or own
                yield text_of(own)
            if key in reader.samples:
                results = reader.results.get(key)
                yield text_of({"kind": "samples", "run": key[0], "id": key[1],
                               "nanoseconds": [round(1e9 * seconds) for seconds in reader.samples[key]],
                               **({"results": results} if results else {})})
            if key in reader.summaries:
                yield text_of(shortened(reader.summaries[key]))


def lines_of(reader):
    """(lines to write, messages about records left out)"""
    reader.carry_over()
    stopped = reader.stopped()
    lines = [text_of(record) for record in reader.others_read if record.get("run") not in stopped]
    lines += of_measurements(reader, stopped)
    told = [f"run {run} was stopped: left out" for run in reader.runs if run in stopped]
    return lines, [*map(str, reader.problems()), *told]


def write(path, lines):
    """Writes gzip without a timestamp: the same records give the same bytes."""
    pathlib.Path(path).write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0))


def main(words=None):
    parser = argparse.ArgumentParser(description="Turns records files into the form that is committed.")
    parser.add_argument("records", nargs="+", metavar="IN", help="records files (*.jsonl, *.jsonl.gz)")
    parser.add_argument("--starts", action="store_true", help="each is of one start of the same command: a process each")
    parser.add_argument("out", metavar="OUT.jsonl.gz")
    arguments = parser.parse_args(words)
    if not arguments.out.endswith(".jsonl.gz"):
        raise Failure(f"{arguments.out}: is not written over: name the packed file last, OUT.jsonl.gz")
    reader = Reader(len(arguments.records) if arguments.starts else 0)
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
