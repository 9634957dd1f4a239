#!/usr/bin/env python3
"""Finds out what the tuned rung should choose on this machine, and writes it to a file that `ladder --tuning=FILE` takes.

    ./study tune [--to=FILE] [--backend=cuda] [--types=f32,...] [--ops=sum,...] [--sizes=2^4..2^28] [--rounds=3] [--against=r20]

On a GPU that is r30, with threads per block, vectors that a thread has under way, and blocks to choose from; on a CPU
(--backend=cpu) it is c13, with threads, pieces that each reads side by side, and prefetches. Each candidate runs in a process of
its own, beside a rung that does not change (--against); what counts is how many times as fast as that rung the tuned one is in
the same process, so that a machine which drifts misleads nobody. The candidates take turns, so many rounds; for each type,
operation and size the one with the best geometric mean is taken, but the neighbour's where it is not 0.5 % slower, so that there
are few lines. Then the same number of rounds judges: what was chosen beside what the rung takes without it, in processes that had
no part in the choice.

Without --to the file is the one that `ladder` looks for: $XDG_CONFIG_HOME/reduction-ladder/DEVICE.json. A type and operation
whose choice is slower than what the rung takes without it, beyond noise, at some size, is left out, and told. Exit status 1 where
that is all of them: then nothing is written.
"""

import argparse
import itertools
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import shared
from shared import Failure

try:
    from report import intervals, records
    from report.text import elements
except ImportError as error:
    sys.exit(f"{error.name} is not installed (./study setup installs it)")

SCHEMA = 1  # bench/plan/tuning_file.cpp reads it
HEADER = shared.ROOT / "include" / "ladder" / "cuda" / "choice.hpp"
ALONE, ONE_PASS = -1, 0
PER_UNIT = (ONE_PASS, 2, 4, 64)
TIE = 0.005  # a choice that is not slower than this stays its neighbour's
ONE_WORKER = 1


class Gpu:
    """r30: (block, vectors, per_unit)."""
    rung, against, types, sizes = "r30", "r20", "f32,f64,i32,i64,i8,f16,bf16", "2^4..2^28"
    fields, words = ("block", "vectors", "per_unit"), ["--scope=kernel"]

    @staticmethod
    def candidates(_):
        for block, vectors, alone in instances():
            yield from ((block, vectors, per_unit) for per_unit in ([ALONE] if alone else PER_UNIT))

    @staticmethod
    def sizes_of(choice):  # where one block alone, and where many, can be the best
        return "2^4..2^16" if choice[2] == ALONE else "2^12..2^28"


class Cpu:
    """c13: (workers, pieces, prefetch). Against a serial loop, which wakes nobody; in cache, as far as there is one."""
    rung, against, types, sizes = "c13", "c00", "f32,f64,i32,i64,i8,f16,bf16", "2^4..2^26"
    fields, words = ("workers", "pieces", "prefetch"), ["--scope=host", "--cache=hot"]
    ways = ((1, 0), (2, 0), (4, 0), (2, 1024), (2, 2048), (2, 4096))

    @classmethod
    def candidates(cls, workers):
        numbers = [1 << i for i in range(workers.bit_length()) if 1 << i < workers] + [workers]
        return [(number, *way) for number in numbers for way in cls.ways]

    @staticmethod
    def sizes_of(choice):  # a second thread is worth its start from some KiB on; one alone reads no large memory the fastest
        return "2^4..2^22" if choice[0] == ONE_WORKER else "2^12..2^26"


def instances():
    """The kernels that there are, as the header lists them: (block, vectors, whether for one block alone)."""
    listed = re.search(r"instances\[\] = \{(.*?)\};", HEADER.read_text(encoding="utf-8"), re.S)
    found = re.findall(r"\{(\d+), (\d+), (true|false)\}", listed[1])
    return [(int(block), int(vectors), alone == "true") for block, vectors, alone in found]


def trial(subject, device, cases, choice):
    """A file's content in which one choice holds for all."""
    return {"schema": SCHEMA, "device": {"name": device},
            "choices": [line_of(subject, case, 0, choice) for case in cases]}


def line_of(subject, case, from_bytes, choice):
    return {"type": case[0], "op": case[1], "from_bytes": from_bytes, **dict(zip(subject.fields, choice, strict=True))}


class Bench:
    """Runs the program, one process a call, and reads what it measured."""

    def __init__(self, options, folder):
        self.options, self.folder, self.count = options, folder, itertools.count()
        self.workers = ONE_WORKER  # that the tuned rung has where nobody says how many; known after the first process

    def sizes(self, choice):
        if self.options.sizes:
            return self.options.sizes
        subject = self.options.subject
        if choice is None or (subject is Cpu and self.workers == ONE_WORKER):
            return subject.sizes
        return subject.sizes_of(choice)

    def gains(self, content=None, choice=None):
        """{(type, operation, n): how many times as fast as the other rung the tuned one was} in one process; a size at which
        something was wrong or could not be had is missing. And the device's name, and the commit. `choice`: the one that all of
        the content is, which need not be tried at all sizes."""
        number, subject = next(self.count), self.options.subject
        file, tuning = self.folder / f"{number}.jsonl", self.folder / f"{number}.json"
        words = [self.options.ladder, f"--backends={self.options.backend}", f"--rungs={subject.rung},{self.options.against}",
                 f"--types={self.options.types}", f"--ops={self.options.ops}", f"--sizes={self.sizes(choice)}", *subject.words,
                 f"--samples={self.options.samples}", "--no-ceilings", f"--records={file}"]
        if content is not None:
            tuning.write_text(json.dumps(content), encoding="utf-8")
            words.append(f"--tuning={tuning}")
        done = subprocess.run(words, capture_output=True, text=True,
                              env={**os.environ, "XDG_CONFIG_HOME": str(self.folder)})  # nobody's own file
        if done.returncode not in (0, 1) or not file.exists():
            raise Failure(f"{' '.join(map(str, words))}:\n{done.stderr.strip()}")
        study = records.read([str(file)])
        times = {(row["rung"], row["type"], row["op"], row["n"]): row["time"] for row in study.rows if row["status"] == "right"}
        gains = {key[1:]: times[self.options.against, *key[1:]] / time for key, time in times.items()
                 if key[0] == subject.rung and (self.options.against, *key[1:]) in times}
        self.workers = max([self.workers, *(row["workers"] or 0 for row in study.rows if row["rung"] == subject.rung)])
        run = next(iter(study.runs.values()))
        device = next(iter(study.devices.values()))["name"]
        file.unlink()
        return gains, device, run["commit"]


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def chosen(tried):
    """{(type, operation): [(n, choice)]} of {choice: [gains of each round]}: the best at each size, or its neighbour's."""
    means = {choice: {key: mean([one[key] for one in rounds]) for key in rounds[0] if all(key in one for one in rounds)}
             for choice, rounds in tried.items()}
    found = {}
    for key in sorted(set().union(*means.values())):
        here = {choice: gains[key] for choice, gains in means.items() if key in gains}
        best = max(here, key=here.get)
        line = found.setdefault(key[:2], [])
        before = line[-1][1] if line else None
        keeps = before in here and here[before] >= here[best] / (1 + TIE)
        line.append((key[2], before if keeps else best))
    return found


def content_of(subject, device, commit, found, bytes_of, command):
    """The file: a line from each size on at which the choice changes."""
    lines = []
    for case, sizes in found.items():
        for (n, choice), before in zip(sizes, [None, *(one for _, one in sizes)]):
            if choice != before:
                lines.append(line_of(subject, case, 0 if before is None else n * bytes_of[case[0]], choice))
    return {"schema": SCHEMA, "device": {"name": device}, "commit": commit, "command": command, "choices": lines}


def judged(bench, content, rounds):
    """[(key, the interval of new / old)] over processes that take turns."""
    new, old = [], []
    for _ in range(rounds):
        new.append(bench.gains(content)[0])
        old.append(bench.gains()[0])
    for key in sorted(set.intersection(*(set(one) for one in new + old))):
        yield key, intervals.of([one[key] / other[key] for one, other in zip(new, old, strict=True)])


def usual_file(device):
    config = os.environ.get("XDG_CONFIG_HOME") or pathlib.Path.home() / ".config"
    return pathlib.Path(config) / "reduction-ladder" / (re.sub(r"[^a-z0-9]", "_", device.lower()) + ".json")


def main(words=None):
    parser = argparse.ArgumentParser(prog="tune", description="What the tuned rung should choose on this machine.")
    parser.add_argument("--ladder", default=shared.ROOT / "build" / "nvidia" / "bench" / "ladder", type=pathlib.Path)
    parser.add_argument("--to", type=pathlib.Path)
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--types")
    parser.add_argument("--ops", default="sum,max")
    parser.add_argument("--sizes")
    parser.add_argument("--rounds", default=3, type=int)
    parser.add_argument("--samples", default=20, type=int)
    parser.add_argument("--against")
    options = parser.parse_args(words)
    subject = options.subject = Cpu if options.backend == "cpu" else Gpu
    options.types, options.against = options.types or subject.types, options.against or subject.against
    bytes_of = {one["name"]: one["bytes"] for one in shared.listing(options.ladder)["types"]}
    cases = list(itertools.product(options.types.split(","), options.ops.split(",")))
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, pathlib.Path(folder))
        _, device, commit = bench.gains()
        tried = {choice: [] for choice in subject.candidates(bench.workers)}
        for number in range(options.rounds):
            for choice, rounds in tried.items():
                rounds.append(bench.gains(trial(subject, device, cases, choice), choice)[0])
            print(f"round {number + 1} of {options.rounds}: {len(tried)} candidates", file=sys.stderr)
        content = content_of(subject, device, commit, chosen(tried), bytes_of, ["tune.py", *(words or sys.argv[1:])])
        slower = {}
        for (kind, operation, n), estimate in judged(bench, content, options.rounds):
            low, high = estimate.ends
            print(f"{kind} {operation} {elements(n)}: {estimate.value:.3f} times as fast as without it ({low:.3f} to {high:.3f})")
            if high < 1:
                slower.setdefault((kind, operation), []).append(elements(n))
    for case, sizes in slower.items():
        print(f"{' '.join(case)} is left out: slower than without it at {', '.join(sizes)}", file=sys.stderr)
    content["choices"] = [line for line in content["choices"] if (line["type"], line["op"]) not in slower]
    if not content["choices"]:
        print("nothing is left, and nothing is written", file=sys.stderr)
        return 1
    to = options.to or usual_file(device)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{len(content['choices'])} lines: {to}")
    return 0


if __name__ == "__main__":
    shared.ended(main)
