#!/usr/bin/env python3
"""./study tune [OPTION...]

Builds as ./study run does, then measures the configurations of r30 on this GPU (threads per block, loads in flight, blocks), or
with --backend=cpu those of c13 on this CPU (threads, chains, prefetches). The speed is relative to r20, on a CPU to c00, in the
same process, which cancels drift of the machine. The configurations take turns, one process per configuration in each of
--rounds; within 0.5 % of the best the choice of the next smaller size is kept. As many further rounds compare the choices with
the rung's default in new processes. A type and operation that is slower beyond noise at some size is left out and reported. The
others are written to the file that ./study run and ladder use, $XDG_CONFIG_HOME/reduction-ladder/DEVICE.json (XDG_CONFIG_HOME:
~/.config). If none is left, the exit status is 1 and no file is written. ladder --tuning=FILE reads another file.

  --types=f32,f64,i32,i64,i8,f16,bf16  --ops=sum,max  --sizes=2^4..2^28  --rounds=3     the defaults; a CPU's sizes end at 2^26
  --to=FILE                                                                              another file to write
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import statistics
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

SCHEMA = 1  # read by bench/plan/tuning_file.cpp
HEADER = shared.ROOT / "include" / "ladder" / "gpu" / "choice.hpp"
ALONE, ONE_PASS = -1, 0
PER_UNIT = (ONE_PASS, 2, 4, 64)
TIE = 0.005  # keep the neighbour's choice if it is slower by at most this fraction


class Gpu:
    """r30: (block, vectors, per_unit)."""
    rung, reference, sizes = "r30", "r20", "2^4..2^28"
    fields, words = ("block", "vectors", "per_unit"), ["--scope=kernel"]

    @staticmethod
    def candidates(_):
        """(choice, sizes at which it may be best) of the available kernels, as the header lists them."""
        listed = re.search(r"instances\[\] = \{(.*?)\};", HEADER.read_text(encoding="utf-8"), re.S)
        found = re.findall(r"\{(\d+), (\d+), (true|false)\}", listed[1])  # block, vectors, True if for a single block
        return [((int(block), int(vectors), per_unit), "2^4..2^16" if alone == "true" else "2^12..2^28")
                for block, vectors, alone in found for per_unit in ([ALONE] if alone == "true" else PER_UNIT)]


class Cpu:
    """c13: (workers, pieces, prefetch). The reference is a serial loop, which wakes no threads; data that fit are in cache."""
    rung, reference, sizes = "c13", "c00", "2^4..2^26"
    fields, words = ("workers", "pieces", "prefetch"), ["--scope=host", "--cache=hot"]
    ways = ((1, 0), (2, 0), (4, 0), (2, 1024), (2, 2048), (2, 4096))

    @classmethod
    def candidates(cls, workers):
        """(choice, sizes at which it may be best) for 1, 2, 4 ... to all threads: a second thread is useful from some KiB on; a
        single one, if there are more, never reads large memory fastest."""
        numbers = [1 << i for i in range(workers.bit_length()) if 1 << i < workers] + [workers]
        return [((number, *way), cls.sizes if workers == 1 else "2^4..2^22" if number == 1 else "2^12..2^26")
                for number in numbers for way in cls.ways]


class Bench:
    """Runs the program, one process per call, and reads its results."""

    def __init__(self, options, subject, folder):
        self.options, self.subject, self.folder = options, subject, folder
        self.workers = 1  # default of the tuned rung; known after the first process
        self.device = self.commit = None

    def gains(self, choices=None, sizes=None):
        """{(type, operation, n): speed of the tuned rung relative to the reference} in one process with these lines of choices;
        sizes with errors or without a measurement are missing."""
        file, tuning, options = self.folder / "records.jsonl", self.folder / "tuning.json", self.options
        file.unlink(missing_ok=True)
        words = [options.ladder, f"--backends={options.backend}", f"--rungs={self.subject.rung},{self.subject.reference}",
                 f"--types={options.types}", f"--ops={options.ops}", f"--sizes={options.sizes or sizes or self.subject.sizes}",
                 *self.subject.words, "--samples=20", "--no-ceilings", f"--records={file}"]
        if choices is not None:
            tuning.write_text(json.dumps(self.content(choices)), encoding="utf-8")
            words.append(f"--tuning={tuning}")
        done = subprocess.run(words, capture_output=True, text=True,
                              env={**os.environ, "XDG_CONFIG_HOME": str(self.folder)})  # ignore the user's own file
        if done.returncode not in (0, 1) or not file.exists():
            raise Failure(f"{' '.join(map(str, words))}:\n{done.stderr.strip()}")
        study = records.read([str(file)])
        times = {(row["rung"], (row["type"], row["op"], row["n"])): row["time"] for row in study.rows if row["status"] == "right"}
        self.workers = max([self.workers, *(row["workers"] or 0 for row in study.rows if row["rung"] == self.subject.rung)])
        self.device = next(iter(study.devices.values()))["name"]
        self.commit = next(iter(study.runs.values()))["commit"]
        return {key: times[self.subject.reference, key] / time for (rung, key), time in times.items()
                if rung == self.subject.rung and (self.subject.reference, key) in times}

    def content(self, choices):
        """Content of a tuning file."""
        return {"schema": SCHEMA, "device": {"name": self.device}, "commit": self.commit, "choices": choices}


def line_of(subject, case, from_bytes, choice):
    return {"type": case[0], "op": case[1], "from_bytes": from_bytes, **dict(zip(subject.fields, choice, strict=True))}


def chosen(tried):
    """{(type, operation): [(n, choice)]} from {choice: [gains of each round]}: the best at each size, or its neighbour's."""
    means = {choice: {key: statistics.geometric_mean(one[key] for one in rounds)
                      for key in rounds[0] if all(key in one for one in rounds)} for choice, rounds in tried.items()}
    found = {}
    for key in sorted(set().union(*means.values())):
        here = {choice: gains[key] for choice, gains in means.items() if key in gains}
        best, line = max(here, key=here.get), found.setdefault(key[:2], [])
        before = line[-1][1] if line else None
        keeps = before in here and here[before] >= here[best] / (1 + TIE)
        line.append((key[2], before if keeps else best))
    return found


def lines_of(subject, found, bytes_of):
    """Lines of a tuning file: one for each size at which the choice changes."""
    return [line_of(subject, case, 0 if before is None else n * bytes_of[case[0]], choice) for case, sizes in found.items()
            for (n, choice), before in zip(sizes, [None, *(one for _, one in sizes)]) if choice != before]


def judged(bench, choices, rounds):
    """[((type, operation, n), interval of new / old)] over alternating processes."""
    pairs = [(bench.gains(choices), bench.gains()) for _ in range(rounds)]
    return [(key, intervals.of([new[key] / old[key] for new, old in pairs]))
            for key in sorted(set.intersection(*(new.keys() & old.keys() for new, old in pairs)))]


def path_of(device):
    """The user's own file of a device."""
    config = pathlib.Path(os.environ.get("XDG_CONFIG_HOME") or pathlib.Path.home() / ".config")
    return config / "reduction-ladder" / (re.sub(r"[^a-z0-9]", "_", device.lower()) + ".json")


def main(words=None):
    parser = argparse.ArgumentParser(prog="tune", description="What the tuned rung should choose on this machine.")
    parser.add_argument("--ladder", default=shared.ROOT / "build" / "nvidia" / "bench" / "ladder", type=pathlib.Path)
    parser.add_argument("--to", type=pathlib.Path)
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--types", default="f32,f64,i32,i64,i8,f16,bf16")
    parser.add_argument("--ops", default="sum,max")
    parser.add_argument("--sizes")
    parser.add_argument("--rounds", default=3, type=int)
    options = parser.parse_args(words)
    if options.rounds < 2:
        parser.error(f"--rounds={options.rounds}: two or more, for an interval between processes")
    subject = Cpu if options.backend == "cpu" else Gpu
    bytes_of = {one["name"]: one["bytes"] for one in shared.listing(options.ladder)["types"]}
    cases = list(itertools.product(options.types.split(","), options.ops.split(",")))
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, subject, pathlib.Path(folder))
        bench.gains()
        to = options.to or path_of(bench.device)
        try:
            to.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"{to.parent}: cannot be made: {error.strerror}") from None
        candidates = subject.candidates(bench.workers)
        tried = {choice: [] for choice, _ in candidates}
        for number in range(options.rounds):
            for choice, sizes in candidates:
                tried[choice].append(bench.gains([line_of(subject, case, 0, choice) for case in cases], sizes))
            print(f"round {number + 1} of {options.rounds}: {len(tried)} candidates", file=sys.stderr)
        choices, slower = lines_of(subject, chosen(tried), bytes_of), {}
        for (kind, operation, n), estimate in judged(bench, choices, options.rounds):
            low, high = estimate.ends
            print(f"{kind} {operation} {elements(n)}: {estimate.value:.3f} times as fast as without it ({low:.3f} to {high:.3f})")
            if high < 1:
                slower.setdefault((kind, operation), []).append(elements(n))
    for case, sizes in slower.items():
        print(f"{' '.join(case)} is left out: slower than without it at {', '.join(sizes)}", file=sys.stderr)
    choices = [line for line in choices if (line["type"], line["op"]) not in slower]
    if not choices:
        print("nothing is left, and nothing is written", file=sys.stderr)
        return 1
    content = bench.content(choices) | {"command": ["tune.py", *(words or sys.argv[1:])]}
    to.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{len(choices)} lines: {to}")
    return 0


if __name__ == "__main__":
    shared.ended(main)
