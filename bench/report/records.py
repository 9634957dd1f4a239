"""Reads records files, of any machines, backends and days: the only reader, for the page, the comparison and docs/.

What cannot be used is never dropped without a word: it becomes a `Problem` that names file and line. What a later version
of the program may add is passed over, field by field; a record that lacks what the report needs is left out, and told.
Records are those of schema 2 (docs/method.md, "Records"); older ones become such line by line (schema1).
"""

import dataclasses
import functools
import gzip
import json
import math
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
SUMMARY = ["count", "wrong", "failed"]
SUMMED_UP = ["median", "p5", "p95", "error", "uncertainty", "ulps", "step", "cumulative"]  # without times where it was wrong
FROM_DEVICE = ["device", "device_kind", "space", "peak_gbs"]
DERIVED = ["machine", "place", "words", "name", "tuning", "samples", "summary_where", "status", "gbs", "of_peak", "ceiling_gbs",
           "ceiling_uncertainty", "ceiling_where", "of_ceiling", "of_ceiling_uncertainty"]
DEVICE = ["backends", "name", "kind", "space"]
DEVICE_OPEN = ["peak_gbs", "peak_source", "units", "eviction"]
EVIDENCE = ["backend", "rung", "type", "op", "n", "facts"]
KEPT = ["ceiling", "floor", "skipped", "evidence", "same_code"]  # as they are
KINDS = {"run", "conditions", "measurement", "sample", "summary", "static", *KEPT}

DECODER = json.JSONDecoder()


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
        axes = dict.fromkeys(axis for run in self.runs.values() for axis in run["axes"])
        columns = dict.fromkeys(["run", "id", "where", *IDENTITY, *axes, *OPEN, *SUMMARY, *SUMMED_UP, *FROM_DEVICE, *DERIVED])
        self.measurements = pandas.DataFrame(self.rows, columns=list(columns))
        numbers = ["median", "p5", "p95", "uncertainty", "evicted_bytes", "seed", "peak_gbs", "gbs", "of_peak", "ceiling_gbs",
                   "ceiling_uncertainty", "of_ceiling", "of_ceiling_uncertainty", *axes]
        self.measurements[numbers] = self.measurements[numbers].apply(pandas.to_numeric)  # NaN where it is not known
        self.measurements = self.measurements.copy()  # in few blocks again: selections are several times as fast


def machine_of(run):
    """One machine from another, as far as a run tells: there is no name of a host in the records."""
    machine = run.get("machine") or {}
    return " ".join(str(machine[name]) for name in ("system", "release", "architecture") if name in machine)


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
        text = line.strip()
        if not text or not self.with_samples and text.startswith('{"kind":"sample"'):
            return
        try:
            record, end = DECODER.raw_decode(text)  # json.loads takes twice as long
        except json.JSONDecodeError:
            end = 0
        if end < len(text):
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
        if run in self.newer or kind == "static":  # what a compiler made belongs to no run
            return
        if run not in self.runs:
            self.newer.add(run)
            return self.tell(file, number, f"belongs to a run ({run}) whose beginning is not in these files: its records are "
                                           f"left out")
        if kind == "sample":
            if record.get("ok") and isinstance(record.get("seconds"), (int, float)):
                self.samples.setdefault((run, record.get("id")), []).append(record["seconds"])
                if "result" in record:
                    self.results.setdefault((run, record.get("id")), set()).add(record["result"])
            return
        where = f"{file}:{number}"
        if kind == "measurement":
            self.measure(file, number, record, where)
        elif kind == "summary":
            if self.has(file, number, record, ["id", *SUMMARY], kind):
                self.summaries[run, record["id"]] = record | {"where": where}
        elif kind == "evidence":
            if self.has(file, number, record, EVIDENCE, kind):
                about, device = self.runs[run], self.devices.get((run, record["backend"]), {})
                element = about["types"].get(record["type"], {})
                self.others[kind].append(record | {
                    "where": where, "name": name_of_rung(record), "tuning": tuning_of(record, about["axes"]),
                    "device": device.get("name", "?"),
                    "words": element.get("words", record["type"]), "element_bytes": element.get("bytes")})
        elif kind in self.others:
            if run in self.spaces:
                record = schema1.converted(record, self.spaces[run])
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
        if schema == 1:
            self.spaces[run] = {device["backend"]: device.get("memory_space") for device in record.get("devices", [])}
            record = schema1.converted(record, self.spaces[run])
        self.runs[run] = {"axes": [], "types": {}, **record, "where": f"{file}:{number}"}
        for device in record.get("devices", []):
            if self.has(file, number, device, DEVICE, "device"):
                for backend in device["backends"]:
                    self.devices[run, backend] = {**dict.fromkeys(DEVICE_OPEN), **device}

    def measure(self, file, number, record, where):
        if not self.has(file, number, record, ["id", *IDENTITY], "measurement"):
            return
        run = self.runs[record["run"]]
        if record["run"] in self.spaces:
            record = schema1.converted(record, self.spaces[record["run"]])
        key = record["run"], record["id"]
        device = self.devices.get((key[0], record["backend"]))
        if device is None:
            return self.tell(file, number, f"measured on {record['backend']}, which the run does not describe: left out")
        if key not in self.measurements:
            self.measurements[key] = {
                "run": key[0], "id": key[1], "where": where, **{name: record[name] for name in IDENTITY},
                **{name: record.get(name) for name in [*run["axes"], *OPEN]}, "tuning": tuning_of(record, run["axes"]),
                "name": name_of_rung(record), "place": record.get("place") or "",
                "words": run["types"].get(record["type"], {}).get("words", record["type"]),
                "machine": machine_of(run), "device": device["name"], "device_kind": device["kind"], "space": device["space"],
                "peak_gbs": device["peak_gbs"]}

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
            row = {**measurement, "samples": len(self.samples.get(key, ())), "summary_where": None, "status": "unfinished",
                   **dict.fromkeys(SUMMARY + SUMMED_UP)}
            if summary is None:
                unfinished.setdefault(key[0], []).append(row)
            else:
                row |= {name: summary.get(name) for name in SUMMARY + SUMMED_UP} | {"summary_where": summary["where"]}
                row["status"], row["uncertainty"] = status_of(summary), uncertainty_of(summary)
            if row["status"] != "right":
                row |= dict.fromkeys(["median", "p5", "p95"])
            yield row | self.reached(row)
        for run, rows in unfinished.items():
            file, _, line = rows[0]["where"].rpartition(":")
            self.tell(file, int(line), f"run {run} was stopped: {len(rows)} of its measurements lack a summary, the first "
                                       f"{rows[0]['rung']} on {rows[0]['backend']} at n = {rows[0]['n']} with "
                                       f"{rows[0]['samples']} right samples: they have no time; --resume takes what is missing")

    def reached(self, row):
        """Bandwidth, each element counted once, and its parts of the peak and of the ceiling: the best read-only sweep of as many
        bytes in the same process."""
        ceiling = self.ceilings.get(tuple(row[name] for name in ("run", "space", "bytes", "cache")), {})
        gbs, best = (row["bytes"] / row["median"] / 1e9 if row["median"] else None), ceiling.get("gbs")
        return {"gbs": gbs, "of_peak": of(gbs, row["peak_gbs"]), "of_ceiling": of(gbs, best), "ceiling_gbs": best,
                "ceiling_where": ceiling.get("where"), "ceiling_uncertainty": uncertainty_of(ceiling),
                "of_ceiling_uncertainty": joint(row["uncertainty"], uncertainty_of(ceiling))}

    @functools.cached_property
    def ceilings(self):
        best = {}
        for ceiling in sorted(self.others["ceiling"], key=lambda one: one["gbs"]):
            best[tuple(ceiling[name] for name in ("run", "space", "bytes", "cache"))] = ceiling
        return best

    def study(self):
        for (file, kind), numbers in self.unknown.items():
            self.tell(file, numbers[0], f"{len(numbers)} records of a kind ({kind}) that this report does not know: passed over")
        return Study(self.runs, self.devices, list(self.rows()), self.others, self.problems, self.lines, self.files, self.samples,
                     self.results)


def file_of(run):
    return run["where"].rpartition(":")[0]


def status_of(summary):
    """Only what every sample found right has a time."""
    if summary["wrong"]:
        return "wrong"
    median = summary.get("median")
    if summary["failed"] or summary.get("error") or not summary["count"] or not median or not 0 < median < math.inf:
        return "failed"
    return "right"


def is_gzip(path):
    with open(path, "rb") as file:
        return file.read(2) == b"\x1f\x8b"


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
