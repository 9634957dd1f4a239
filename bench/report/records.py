"""Reads records files, of any machines, backends and days: the only reader, for the page, the comparison and docs/.

What cannot be used is never dropped without a word: it becomes a `Problem` that names file and line. What a later version
of the program may add is passed over, field by field; a record that lacks what the report needs is left out, and told.
Records are those of schema 2 (docs/method.md, "Records"); older ones become such line by line (schema1).
"""

import dataclasses
import gzip
import json
import math
import operator
import pathlib
import zlib

import pandas

from . import schema1
from .text import joint

SCHEMA = 2
# What a measurement has to say, and what it may leave open.
IDENTITY = ["backend", "rung", "slug", "library", "type", "op", "n", "scope", "cache", "data", "bytes"]
OPEN = ["seed", "family", "evicted_bytes", "moved_bytes", "launches", "blocks", "registers", "shared_bytes", "blocks_per_sm",
        "limiter", "depth"]
SUMMED_UP = ["count", "wrong", "failed", "median", "p5", "p95", "error", "ulps", "step", "cumulative"]
DEVICE_OPEN = ["id", "peak_gbs", "peak_source", "units", "eviction"]
NEEDED = {"measurement": ["id", *IDENTITY], "summary": ["id", "count", "wrong", "failed"],
          "evidence": ["backend", "rung", "type", "op", "n", "facts"], "device": ["backends", "name", "kind", "space"]}
NUMBERS = ["median", "p5", "p95", "uncertainty", "evicted_bytes", "seed", "peak_gbs", "gbs", "of_peak", "ceiling_gbs",
           "ceiling_uncertainty", "of_ceiling", "of_ceiling_uncertainty"]
KEPT = ["ceiling", "conditions", "floor", "skipped", "evidence", "same_code"]  # as they are
KINDS = {"run", "measurement", "sample", "summary", "static", *KEPT}


@dataclasses.dataclass(frozen=True)
class Problem:
    """Something in the records that a reader has to know of."""

    file: str
    line: int  # 0: the file as a whole
    text: str

    def __str__(self):
        return f"{self.file}{f':{self.line}' if self.line else ''}: {self.text}"


@dataclasses.dataclass
class Study:
    """The records of one report.

    `rows` has one dictionary for each measurement of each run, with its device's facts, what its summary says and what follows;
    `measurements` is the same as a table. `status` is `right`, `wrong`, `failed` or `unfinished`, and only a right one has
    times. `uncertainty` is that of the median, as a part of it: infinite for one sample. `where` and `summary_where` are
    `file:line`. `others` holds the records of the kinds in KEPT.
    """

    runs: dict  # {run: its record}
    devices: dict  # {(run, backend): the device's record}
    rows: list
    others: dict
    problems: list
    lines: int
    files: list  # that were read, in their order
    samples: dict  # {(run, id): seconds of each right sample}
    results: dict  # {(run, id): the different results among them, as text}; only where results are rounded

    def __post_init__(self):
        self.measurements = pandas.DataFrame(self.rows)
        axes = [axis for run in self.runs.values() for axis in run["axes"]]
        numbers = self.measurements.columns.intersection([*NUMBERS, *axes])
        self.measurements[numbers] = self.measurements[numbers].apply(pandas.to_numeric)  # NaN where it is not known
        self.measurements = self.measurements.copy()  # in few blocks again: selections are several times as fast


def machine_of(run, device):
    """One machine from another, as far as a run tells: two GPUs of one model are two. Records before the identities tell what
    the system is."""
    machine = run.get("machine") or {}
    host = machine.get("id") or " ".join(str(machine[name]) for name in ("system", "release", "architecture") if name in machine)
    return " ".join(dict.fromkeys([host, device["id"] or ""])).strip()


def tuning_of(record, axes):
    """The axes that a record has: "block 256, grid 1056"."""
    return ", ".join(f"{axis} {record[axis]}" for axis in axes if record.get(axis) is not None)


def name_of_rung(record):
    return f"{record['rung']}_{record['slug']}" if record.get("slug") else record["rung"]


def uncertainty_of(one):
    """Of a median, as a part of it (docs/method.md, "Digits and spread"); infinite for a single sample, nothing where the
    record tells too little."""
    if one.get("count") == 1:
        return math.inf
    if one.get("uncertainty") is not None or not all(one.get(name) for name in ("count", "median", "p5", "p95")):
        return one.get("uncertainty")
    return (one["p95"] - one["p5"]) / one["median"] / 3.29 * 1.253 / one["count"] ** 0.5


def of(part, whole):
    return part / whole if part and whole else None


swept_by = operator.itemgetter("run", "space", "bytes", "cache")  # what a measurement and its ceiling have in common


class Reader:
    """Collects the records of several files."""

    def __init__(self, samples=True):
        self.with_samples = samples
        self.problems, self.lines, self.files = [], 0, []
        self.runs, self.devices, self.spaces = {}, {}, {}
        self.measurements, self.summaries, self.samples, self.results = {}, {}, {}, {}
        self.others = {kind: [] for kind in KEPT}
        self.unknown, self.newer = {}, set()

    def tell(self, file, line, text):
        self.problems.append(Problem(file, line, text))

    def read(self, path):
        file = str(path)
        self.files.append(file)
        number = 0
        try:
            with open(path, "rb") as begin:
                opened = gzip.open if begin.read(2) == b"\x1f\x8b" else open
            with opened(path, "rt", encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    self.lines += 1
                    self.take(file, number, line)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            self.tell(file, number, "the compressed file ends before its end: what came after this line is lost")
        except UnicodeDecodeError:
            self.tell(file, number + 1, "is no text: is this a records file?")
        except OSError as error:
            self.tell(file, 0, f"cannot be read: {error.strerror}")
        else:
            if number == 0:
                self.tell(file, 0, "is empty")

    def take(self, file, number, line):
        text = line.strip()
        if not text or not self.with_samples and text.startswith('{"kind":"sample"'):
            return
        try:
            record = json.loads(text)
        except json.JSONDecodeError:
            ends = "" if line.endswith("\n") else " (it is the last line: the program was stopped while it wrote)"
            return self.tell(file, number, f"is cut short or is no record{ends}")
        if not isinstance(record, dict) or "kind" not in record:
            return self.tell(file, number, "has no kind: is this a records file?")
        kind, run = record["kind"], record.get("run")
        if kind not in KINDS:
            self.unknown.setdefault((file, kind), []).append(number)
        elif kind == "run":
            self.begin(file, number, record)
        elif run in self.newer or kind == "static":  # what a compiler made belongs to no run
            return
        elif run not in self.runs:
            self.newer.add(run)
            self.tell(file, number, f"belongs to a run ({run}) whose beginning is not in these files: its records are left out")
        elif kind == "sample":
            if record.get("ok") and isinstance(record.get("seconds"), (int, float)):
                self.samples.setdefault((run, record.get("id")), []).append(record["seconds"])
                if "result" in record:
                    self.results.setdefault((run, record.get("id")), set()).add(record["result"])
        elif self.has(file, number, record, kind):
            if run in self.spaces:
                record = schema1.converted(record, self.spaces[run])
            record["where"] = f"{file}:{number}"
            if kind == "measurement":
                self.measure(file, number, record)
            elif kind == "summary":
                self.summaries[run, record["id"]] = record
            elif kind in self.others:
                self.others[kind].append(record | (self.explained(record) if kind == "evidence" else {}))

    def begin(self, file, number, record):
        run, schema = record.get("run"), record.get("schema")
        if schema is None or schema > SCHEMA:
            self.newer.add(run)
            what = "has no schema" if schema is None else f"is of schema {schema}, and this report knows {SCHEMA}"
            return self.tell(file, number, f"run {run} {what}: it is left out; make the report with the version that wrote it")
        if run in self.runs:
            # --resume appends to the same run's file under a new run, so the same run twice is the same records twice.
            return self.tell(file, number, f"run {run} was read before, from {self.runs[run]['where']}: counted once")
        if schema == 1:
            self.spaces[run] = {device["backend"]: device.get("memory_space") for device in record.get("devices", [])}
            record = schema1.converted(record, self.spaces[run])
        self.runs[run] = {"axes": [], "types": {}, **record, "where": f"{file}:{number}"}
        for device in record.get("devices", []):
            if self.has(file, number, device, "device"):
                for backend in device["backends"]:
                    self.devices[run, backend] = {**dict.fromkeys(DEVICE_OPEN), **device}

    def measure(self, file, number, record):
        key, axes = (record["run"], record["id"]), self.runs[record["run"]]["axes"]
        device = self.devices.get((record["run"], record["backend"]))
        if device is None:
            return self.tell(file, number, f"measured on {record['backend']}, which the run does not describe: left out")
        if key not in self.measurements:
            self.measurements[key] = {
                **{name: record[name] for name in ["run", "id", "where", *IDENTITY]},
                **{name: record.get(name) for name in [*axes, *OPEN]}, **self.explained(record),
                "place": record.get("place") or "", "machine": machine_of(self.runs[record["run"]], device),
                "device_kind": device["kind"], "space": device["space"], "peak_gbs": device["peak_gbs"]}

    def explained(self, record):
        """What a record has from its run: the names of its rung, device and type."""
        run, device = self.runs[record["run"]], self.devices.get((record["run"], record["backend"]), {})
        element = run["types"].get(record["type"], {})
        return {"name": name_of_rung(record), "tuning": tuning_of(record, run["axes"]), "device": device.get("name", "?"),
                "words": element.get("words", record["type"]), "element_bytes": element.get("bytes")}

    def has(self, file, number, record, kind):
        """Whether a record says what is needed; told where it does not."""
        lacking = [name for name in NEEDED.get(kind, ()) if name not in record]
        if lacking:
            self.tell(file, number, f"a {kind} without {', '.join(lacking)}: left out")
        return not lacking

    def carry_over(self):
        """What a run left unfinished and a later one in its file finished (--resume) is the later one's, with its samples."""
        finished = {(file_of(self.runs[run]), name): run for run, name in reversed(self.summaries)}  # the first to finish it
        for run, name in [key for key in self.measurements if key not in self.summaries]:
            if later := finished.get((file_of(self.runs[run]), name)):
                del self.measurements[run, name]
                self.samples[later, name] = self.samples.pop((run, name), []) + self.samples.get((later, name), [])
                self.results.setdefault((later, name), set()).update(self.results.pop((run, name), ()))

    def rows(self):
        self.carry_over()
        ceilings = {swept_by(ceiling): ceiling for ceiling in sorted(self.others["ceiling"], key=lambda one: one["gbs"])}
        for key, measurement in self.measurements.items():
            summary = self.summaries.get(key, {})
            row = {**measurement, "samples": len(self.samples.get(key, ())), "summary_where": summary.get("where"),
                   **{name: summary.get(name) for name in SUMMED_UP},
                   "status": status_of(summary), "uncertainty": uncertainty_of(summary)}
            if row["status"] != "right":
                row |= dict.fromkeys(["median", "p5", "p95"])
            yield row | bandwidths(row, ceilings.get(swept_by(row), {}))

    def study(self):
        for (file, kind), numbers in self.unknown.items():
            self.tell(file, numbers[0], f"{len(numbers)} records of a kind ({kind}) that this report does not know: passed over")
        rows, unfinished = list(self.rows()), {}
        for row in rows:
            if row["status"] == "unfinished":
                unfinished.setdefault(row["run"], []).append(row)
        for run, (first, *more) in unfinished.items():
            file, _, line = first["where"].rpartition(":")
            self.tell(file, int(line), f"run {run} was stopped: {1 + len(more)} of its measurements lack a summary, the first "
                                       f"{first['rung']} on {first['backend']} at n = {first['n']} with {first['samples']} right "
                                       f"samples: they have no time; --resume takes what is missing")
        return Study(self.runs, self.devices, rows, self.others, self.problems, self.lines, self.files, self.samples,
                     self.results)


def bandwidths(row, ceiling):
    """Bandwidth, each element counted once, and its parts of the peak and of the ceiling: the best read-only sweep of as many
    bytes in the same process."""
    gbs, best = (row["bytes"] / row["median"] / 1e9 if row["median"] else None), ceiling.get("gbs")
    return {"gbs": gbs, "of_peak": of(gbs, row["peak_gbs"]), "of_ceiling": of(gbs, best), "ceiling_gbs": best,
            "ceiling_where": ceiling.get("where"), "ceiling_uncertainty": uncertainty_of(ceiling),
            "of_ceiling_uncertainty": joint(row["uncertainty"], uncertainty_of(ceiling))}


def file_of(run):
    return run["where"].rpartition(":")[0]


def status_of(summary):
    """Only what every sample found right has a time."""
    if not summary:
        return "unfinished"
    if summary["wrong"]:
        return "wrong"
    median = summary.get("median")
    if summary["failed"] or summary.get("error") or not summary["count"] or not median or not 0 < median < math.inf:
        return "failed"
    return "right"


def read(paths, samples=True):
    """The study of these files. A folder stands for the records files in it. Without samples, which are most of the records, it
    is read several times as fast."""
    reader = Reader(samples)
    for path in map(pathlib.Path, paths):
        files = sorted(p for p in path.iterdir() if p.name.endswith((".jsonl", ".jsonl.gz"))) if path.is_dir() else [path]
        if path.is_dir() and not files:
            reader.tell(str(path), 0, "is a folder without records files (*.jsonl, *.jsonl.gz)")
        for file in files:
            reader.read(file)
    return reader.study()
