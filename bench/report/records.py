"""Reads records files, of any machines, backends and days, into tables of pandas.

What cannot be used is never dropped without a word: it becomes a `Problem` that names file and line. What a later version
of the program may add is passed over, field by field; a record that lacks what the report needs is left out, and told.
"""

import dataclasses
import gzip
import json
import math
import pathlib
import zlib

import pandas

SCHEMA = 1  # of common knowledge: docs/method.md, "Records"

# What a measurement has to say, and what it may leave open.
IDENTITY = ["backend", "rung", "slug", "library", "type", "op", "n", "scope", "cache", "data", "bytes"]
OPEN = ["block", "grid", "items", "workers", "place", "seed", "eviction", "moved_bytes", "launches", "registers", "shared_bytes",
        "blocks_per_sm", "limiter", "depth", "evicted_bytes"]
SUMMARY = ["count", "wrong", "failed"]
SUMMED_UP = ["median", "p5", "p95", "error", "discarded", "uncertainty", "ulps", "step"]  # without times where it was wrong
DEVICE = ["backend", "name", "kind", "memory_space"]
DEVICE_OPEN = ["peak_gbs", "peak_source", "last_level_cache", "units"]
KINDS = {"run", "conditions", "measurement", "sample", "summary", "ceiling", "floor", "skipped", "evidence", "same_code"}


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

    `measurements` has a row for each measurement of each run, with what its summary says; `status` is `right`, `wrong`,
    `failed` or `unfinished`, and only a right one has times. `where` and `summary_where` are `file:line`. `runs` and
    `devices` are indexed by run, and by run and backend.
    """

    runs: pandas.DataFrame
    devices: pandas.DataFrame
    measurements: pandas.DataFrame
    ceilings: pandas.DataFrame
    floors: pandas.DataFrame
    skipped: pandas.DataFrame
    evidence: pandas.DataFrame
    problems: list
    lines: int
    files: list  # that were read, in their order
    samples: dict  # {(run, id): seconds of each right sample}
    results: dict  # {(run, id): the different results among them, as text}; only where results are rounded


class Reader:
    """Collects the records of several files."""

    def __init__(self):
        self.problems, self.lines, self.files = [], 0, []
        self.runs, self.devices = {}, {}
        self.measurements, self.summaries, self.samples, self.results = {}, {}, {}, {}
        self.others = {"ceiling": [], "floor": [], "skipped": [], "evidence": []}
        self.unknown, self.newer = {}, set()

    def tell(self, file, line, text):
        self.problems.append(Problem(file, line, text))

    def read(self, path):
        file = str(path)
        self.files.append(file)
        before, number = self.lines, 0
        try:
            with (gzip.open(path, "rt", encoding="utf-8") if is_gzip(path) else open(path, encoding="utf-8")) as lines:
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
            if self.lines == before:
                self.tell(file, 0, "is empty")

    def take(self, file, number, line):
        if not line.strip():
            return
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            ends = "" if line.endswith("\n") else " (it is the last line: the program was stopped while it wrote)"
            return self.tell(file, number, f"is cut short or is no record{ends}")
        if not isinstance(record, dict) or "kind" not in record:
            return self.tell(file, number, "has no kind: is this a records file?")
        kind = record["kind"]
        if kind not in KINDS:
            self.unknown.setdefault((file, kind), []).append(number)
            return
        run = record.get("run")
        if kind == "run":
            return self.begin(file, number, record)
        if run in self.newer:
            return
        if run not in self.runs:
            self.newer.add(run)
            return self.tell(file, number, f"belongs to a run ({run}) whose beginning is not in these files: its records are left out")
        where = f"{file}:{number}"
        if kind == "measurement":
            self.measure(file, number, record, where)
        elif kind == "summary":
            if self.has(file, number, record, ["id", *SUMMARY], kind):
                self.summaries[run, record["id"]] = record | {"where": where}
        elif kind == "sample":
            if record.get("ok") and isinstance(record.get("seconds"), (int, float)):
                self.samples.setdefault((run, record.get("id")), []).append(record["seconds"])
                if "result" in record:
                    self.results.setdefault((run, record.get("id")), set()).add(record["result"])
        elif kind in self.others:
            self.others[kind].append(record | {"where": where})

    def begin(self, file, number, record):
        run = record.get("run")
        schema = record.get("schema")
        if schema is None or schema > SCHEMA:
            self.newer.add(run)
            what = "has no schema" if schema is None else f"is of schema {schema}, and this report knows {SCHEMA}"
            return self.tell(file, number, f"run {run} {what}: it is left out; make the report with the version that wrote it")
        if run in self.runs:
            # --resume appends to the same run's file under a new run, so the same run twice is the same records twice.
            return self.tell(file, number, f"run {run} was read before, from {self.runs[run]['where']}: counted once")
        self.runs[run] = record | {"where": f"{file}:{number}"}
        for device in record.get("devices", []):
            if self.has(file, number, device, DEVICE, "device"):
                self.devices[run, device["backend"]] = {**dict.fromkeys(DEVICE_OPEN), **device, "run": run}

    def measure(self, file, number, record, where):
        if not self.has(file, number, record, ["id", *IDENTITY], "measurement"):
            return
        key = record["run"], record["id"]
        if (key[0], record["backend"]) not in self.devices:
            return self.tell(file, number, f"measured on {record['backend']}, which the run does not describe: left out")
        if key not in self.measurements:
            self.measurements[key] = {"run": key[0], "id": key[1], "where": where,
                                      **{name: record[name] for name in IDENTITY}, **{name: record.get(name) for name in OPEN}}

    def has(self, file, number, record, names, kind):
        lacking = [name for name in names if name not in record]
        if lacking:
            self.tell(file, number, f"a {kind} without {', '.join(lacking)}: left out")
        return not lacking

    def carry_over(self):
        """What a run left unfinished and a later one in its file finished (--resume) is the later one's, with its samples."""
        finished = {}
        for run, name in self.summaries:
            finished.setdefault((file_of(self.runs[run]), name), []).append(run)
        for run, name in [key for key in self.measurements if key not in self.summaries]:
            for later in finished.get((file_of(self.runs[run]), name), []):
                del self.measurements[run, name]
                self.samples[later, name] = self.samples.pop((run, name), []) + self.samples.get((later, name), [])
                self.results.setdefault((later, name), set()).update(self.results.pop((run, name), ()))
                break

    def rows(self):
        self.carry_over()
        unfinished = {}
        for key, measurement in self.measurements.items():
            summary = self.summaries.get(key)
            row = measurement | {"samples": len(self.samples.get(key, ())), "summary_where": None, "status": "unfinished",
                                 **dict.fromkeys(SUMMARY + SUMMED_UP)}
            if summary is None:
                unfinished.setdefault(key[0], []).append(row)
            else:
                row |= {name: summary.get(name) for name in SUMMARY + SUMMED_UP} | {"summary_where": summary["where"]}
                row["status"] = status_of(summary)
            if row["status"] != "right":
                row |= dict.fromkeys(["median", "p5", "p95"])
            yield row
        for run, rows in unfinished.items():
            file, _, line = rows[0]["where"].rpartition(":")
            self.tell(file, int(line), f"run {run} was stopped: {len(rows)} of its measurements lack a summary, the first {rows[0]['rung']} on "
                                       f"{rows[0]['backend']} at n = {rows[0]['n']} with {rows[0]['samples']} right samples: "
                                       "they have no time; --resume takes what is missing")

    def study(self):
        for (file, kind), numbers in self.unknown.items():
            self.tell(file, numbers[0], f"{len(numbers)} records of a kind ({kind}) that this report does not know: passed over")
        measurements = pandas.DataFrame(list(self.rows()), columns=["run", "id", "where", *IDENTITY, *OPEN, "samples", *SUMMARY,
                                                                    *SUMMED_UP, "summary_where", "status"])
        numbers = ["median", "p5", "p95", "uncertainty"]
        measurements[numbers] = measurements[numbers].apply(pandas.to_numeric)
        devices = pandas.DataFrame(list(self.devices.values()), columns=["run", *DEVICE, *DEVICE_OPEN, "eviction", "facts"])
        return Study(runs=pandas.DataFrame(list(self.runs.values())).set_index("run") if self.runs else pandas.DataFrame(),
                     devices=devices.set_index(["run", "backend"]), measurements=measurements,
                     ceilings=pandas.DataFrame(self.others["ceiling"]), floors=pandas.DataFrame(self.others["floor"]),
                     skipped=pandas.DataFrame(self.others["skipped"]), evidence=pandas.DataFrame(self.others["evidence"]),
                     problems=self.problems, lines=self.lines, files=self.files, samples=self.samples, results=self.results)


def file_of(run):
    return run["where"].rpartition(":")[0]


def status_of(summary):
    """Only what every sample found right has a time."""
    if summary["wrong"]:
        return "wrong"
    median = summary.get("median")
    if summary["failed"] or summary.get("error") or not summary["count"] or median is None or not math.isfinite(median) or median <= 0:
        return "failed"
    return "right"


def is_gzip(path):
    with open(path, "rb") as file:
        return file.read(2) == b"\x1f\x8b"


def read(paths):
    """The study of these files. A folder stands for the records files in it."""
    reader = Reader()
    for path in map(pathlib.Path, paths):
        files = sorted(p for p in path.iterdir() if p.name.endswith((".jsonl", ".jsonl.gz"))) if path.is_dir() else [path]
        if path.is_dir() and not files:
            reader.tell(str(path), 0, "is a folder without records files (*.jsonl, *.jsonl.gz)")
        for file in files:
            reader.read(file)
    return reader.study()
