"""Reads records files of any machines, backends and dates: the only reader, for the page, the comparison and docs/.

Unusable records always become a `Problem` with file and line. Unknown fields, as of a later version of the program, are
ignored. Records that lack required fields are left out and reported (checks). Records have schema 2 (docs/method.md,
"Records"). The runs of one group are the processes of one study and are merged into one run (processes).
"""

import collections
import gzip
import json
import operator
import pathlib
import zlib

from . import checks, named, processes
from .study import Problem, Study

# Optional fields of a measurement.
OPEN = ["seed", "family", "evicted_bytes", "depth", "shape"]
DEVICE_OPEN = ["id", "peak_gbs", "peak_source", "units", "eviction"]
KEPT = ["ceiling", "conditions", "energy", "evidence", "same_code"]  # kept unchanged
NAMED = ["energy", "evidence"]  # those of a rung
# Kinds without use here. Disturbed samples do not count: the summary has their number. `static` has no times.
UNUSED = {"disturbed", "floor", "skipped", "static"}
KINDS = {"run", "measurement", "sample", "samples", "summary", *UNUSED, *KEPT}
SAMPLES = ('{"kind":"sample"', '{"kind":"samples"')  # prefixes of their lines


swept_by = operator.itemgetter("space", "bytes", "cache")  # common key of a measurement and its ceiling, besides the run


def bounds(ceiling, row):
    """True if the sweep read the input of this measurement, or names none. Nothing bounds a chain: the sweep's time contains the
    clock's floor."""
    return row["scope"] != "chain" and all(row.get(field) == value for field, value in ceiling.get("input", {}).items())


def opened(path):
    """Opens a file for reading lines; detects compression by content."""
    with open(path, "rb") as begin:
        compressed = begin.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rt", encoding="utf-8") if compressed else open(path, encoding="utf-8")


class Reader:
    """Collects the records of several files."""

    def __init__(self, samples=True):
        self.with_samples = samples
        self.told, self.files = {}, []  # told: {(file, text): line numbers}
        self.place = "", 0  # current file and line
        self.processes, self.runs, self.devices = {}, {}, {}
        self.measurements, self.summaries, self.samples, self.results = {}, {}, {}, {}  # of each run
        self.first_of, self.left_out = {}, set()  # {(group, id): first record of a measurement}; ids of unusable ones
        self.others = {kind: [] for kind in KEPT}
        self.newer = set()

    def tell(self, text, place=None):
        """Reports a problem of a line, or of a file (line 0). Problems of many lines are reported once with their number."""
        file, line = place or self.place
        self.told.setdefault((file, text), []).append(line)

    def problems(self):
        return [Problem(file, lines[0], text + (f" (and {len(lines) - 1} more lines like it)" if len(lines) > 1 else ""))
                for (file, text), lines in self.told.items()]

    def read(self, path):
        file = str(path)
        self.files.append(file)
        self.place = file, 0
        try:
            with opened(path) as lines:
                for number, line in enumerate(lines, 1):
                    self.place = file, number
                    self.take(line)
            if self.place == (file, 0):
                self.tell("is empty")
        except (EOFError, zlib.error, gzip.BadGzipFile):
            self.tell("the compressed file ends before its end: what came after this line is lost")
        except UnicodeDecodeError:
            self.tell("is no text: is this a records file?", (file, self.place[1] + 1))
        except OSError as error:
            self.tell(f"cannot be read: {error.strerror}")

    def take(self, line):
        """Returns the record if it is used here or by a subclass."""
        text = line.strip()
        if not text or not self.with_samples and text.startswith(SAMPLES):
            return None
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            ends = "" if line.endswith("\n") else " (it is the last line: the program was stopped while it wrote)"
            return self.tell(f"is cut short or is no record{ends}")
        if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
            return self.tell("has no kind: is this a records file?")
        kind, run = record["kind"], record.get("run")
        if kind in UNUSED:
            return record
        record["where"] = "{}:{}".format(*self.place)
        if not isinstance(run, str):
            return self.tell("names no run: left out")
        if kind not in KINDS:
            self.tell(f"a record of a kind ({kind}) that this report does not know: passed over")
        elif kind == "run":
            return self.begin(record)
        elif run in self.newer:
            return None
        elif run not in self.runs:
            self.newer.add(run)
            return self.tell(f"belongs to a run ({run}) whose beginning is not in these files: its records are left out")
        elif kind in ("sample", "samples"):
            return self.sample(record, kind)
        elif not self.has(record, kind, self.runs[run]["axes"] if kind in ("measurement", "energy") else ()):
            if kind == "measurement":
                self.left_out.add(str(record.get("id")))
            return None
        elif kind == "measurement":
            self.measure(record)
        elif kind == "summary":
            self.describe(run, record["id"])
            self.summaries[run, record["id"]] = record
        else:
            self.others[kind].append(record | (self.explained(record) if kind in NAMED else {}))
        return record

    def sample(self, record, kind):
        """Stores a sample, or all right ones of a process (`samples`)."""
        if kind == "sample" and not record.get("ok"):
            return record
        if not self.has(record, kind):
            return None
        key, many = (record["run"], record["id"]), kind == "samples"
        self.samples.setdefault(key, []).extend([one / 1e9 for one in record["nanoseconds"]] if many else [record["seconds"]])
        if found := record.get("results") if many else {record["result"]: 1} if "result" in record else None:
            self.results.setdefault(key, collections.Counter()).update(found)
        return record

    def begin(self, record):
        run, schema, process = record["run"], record.get("schema"), record.get("process")
        if type(schema) is not int or schema != checks.SCHEMA:
            self.newer.add(run)
            what = "has no schema" if schema is None else f"is of schema {schema}, and this report knows {checks.SCHEMA}"
            return self.tell(f"run {run} {what}: it is left out; make the report with the version that wrote it")
        if run in self.runs:
            # --resume appends to the same run's file under a new run, so the same run twice is the same records twice.
            return self.tell(f"run {run} was read before, from {self.runs[run]['where']}: counted once")
        if not self.has(record, "run") or process and not self.has(process, "process"):
            return self.newer.add(run)
        self.processes[run] = process or {"group": run, "index": 1, "of": 1}
        self.runs[run] = record
        for device in record["devices"]:
            if self.has(device, "device"):
                for backend in device["backends"]:
                    self.devices[run, backend] = {**dict.fromkeys(DEVICE_OPEN), **device}
        return record

    def measure(self, record):
        key, run = (record["run"], record["id"]), self.runs[record["run"]]
        device = self.devices.get((record["run"], record["backend"]))
        if device is None:
            self.left_out.add(record["id"])
            return self.tell(f"measured on {record['backend']}, which the run does not describe: left out")
        self.first_of.setdefault((self.group(record["run"]), record["id"]), record)
        if key not in self.measurements:
            self.measurements[key] = {
                **{name: record[name] for name in ["run", "id", "where", *checks.IDENTITY]},
                **{name: record.get(name) for name in [*run["axes"], *OPEN]}, **self.explained(record),
                "place": record.get("place") or "", "machine": named.machine(run, device), "device_kind": device["kind"],
                "file": pathlib.PurePath(str(run.get("data_file") or "")).name if record["data"] == "file" else "",
                "space": device["space"], "peak_gbs": device["peak_gbs"]}

    def describe(self, run, name):
        """Adds a measurement that has only a summary (tools/pack.py), as the first record in its group describes it."""
        if (run, name) not in self.measurements and name not in self.left_out:
            if first := self.first_of.get((self.group(run), name)):
                self.measure(first | {"run": run})
            else:
                self.tell("a summary of a measurement that is not described before it: left out")

    def explained(self, record):
        """Fields that a record takes from its run: names of its rung, device and type."""
        run, device = self.runs[record["run"]], self.devices.get((record["run"], record["backend"]))
        element = run["types"].get(record["type"], {})
        tuning = ", ".join(f"{axis} {record[axis]}" for axis in run["axes"] if record.get(axis) is not None)
        return {"name": f"{record['rung']}_{record['slug']}" if record.get("slug") else record["rung"],
                "cub": named.cub(run, record["rung"]), "tuning": tuning, "device": named.device(device) if device else "?",
                "words": element.get("words", record["type"]), "element_bytes": element.get("bytes")}

    def has(self, record, kind, axes=()):
        """True if a record has all required fields; reports a problem if not."""
        if complaint := checks.complaint(record, kind, axes):
            self.tell(complaint)
        return not complaint

    def group(self, run):
        """The study that a run belongs to."""
        return self.processes[run]["group"]

    def process_of(self, run):
        """Common key of a process's runs (--resume): its index in a study; without a study, their file."""
        return (self.group(run), self.processes[run]["index"]) if self.runs[run].get("process") else place_of(self.runs[run])[0]

    def carry_over(self):
        """Moves what a process's earlier runs measured to its last one with a summary (--resume), which counts all samples."""
        last = {(self.process_of(run), name): run for run, name in self.summaries}
        for run, name in list(self.measurements):
            later = last.get((self.process_of(run), name), run)
            if later == run or (run, name) in self.summaries and not self.runs[run].get("process"):
                continue
            del self.measurements[run, name]
            self.summaries.pop((run, name), None)
            self.samples[later, name] = self.samples.pop((run, name), []) + self.samples.get((later, name), [])
            self.results.setdefault((later, name), collections.Counter()).update(self.results.pop((run, name), ()))

    def unfinished(self):
        return [key for key in self.measurements if key not in self.summaries]

    def rows(self):
        """Yields a row for each measurement of each study, merged over its processes."""
        ceilings, same = {}, {}
        for ceiling in sorted(self.others["ceiling"], key=lambda one: one["gbs"]):  # the last one, the fastest, is used
            ceilings.setdefault((ceiling["run"], *swept_by(ceiling)), []).append(ceiling)
        for run, name in self.measurements:
            same.setdefault((self.group(run), name), []).append(run)
        for (group, name), runs in same.items():
            found = {run: self.summaries[run, name] for run in runs if (run, name) in self.summaries}
            row = {**self.measurements[runs[0], name], "run": group, **processes.joined(found),
                   "samples": sum(len(self.samples.get((run, name), ())) for run in runs)}
            swept = {run: one for run in runs for one in ceilings.get((run, *swept_by(row)), ()) if bounds(one, row)}
            yield row | processes.bandwidths(row, swept)

    def tell_unfinished(self):
        unfinished = {}
        for run, name in self.unfinished():
            unfinished.setdefault(run, []).append(self.measurements[run, name])
        for run, (first, *more) in unfinished.items():
            taken = len(self.samples.get((run, first["id"]), ()))
            self.tell(f"run {run} was stopped: {1 + len(more)} of its measurements lack a summary, the first {first['rung']} on "
                      f"{first['backend']} at n = {first['n']} with {taken} right samples: they have no time; --resume takes "
                      "what is missing", place_of(first))

    def of_groups(self):
        """{group: the record of its first process, with the number of processes}; reports missing processes."""
        groups, runs = {}, {}
        for run, process in self.processes.items():
            groups.setdefault(process["group"], {})[process["index"]] = process["of"]
            runs.setdefault(process["group"], {**self.runs[run], "run": process["group"]})
        for group, known in groups.items():
            runs[group]["processes"] = len(known)
            most = max(known.values())
            if len(known) < most:
                self.tell(f"run {group} has {len(known)} of its {most} processes: --resume takes what is missing",
                          place_of(runs[group]))
        return runs

    def study(self):
        self.carry_over()
        rows, runs = list(self.rows()), self.of_groups()
        self.tell_unfinished()
        others = {kind: [one | {"run": self.group(one["run"])} for one in found] for kind, found in self.others.items()}
        devices = {(self.group(run), backend): device for (run, backend), device in reversed(self.devices.items())}
        samples, results = {}, {}
        for (run, name), taken in self.samples.items():
            samples.setdefault((self.group(run), name), {})[run] = taken
        for (run, name), found in self.results.items():
            results.setdefault((self.group(run), name), collections.Counter()).update(found)
        return Study(runs, devices, rows, others, self.problems(), self.files, samples, results)


def place_of(record):
    """File and line of a record."""
    file, _, line = record["where"].rpartition(":")
    return file, int(line)


def read(paths, samples=True):
    """Reads files into a Study; a folder means the records files below it. Without samples, most of the records, this is several
    times as fast."""
    reader = Reader(samples)
    for path in map(pathlib.Path, paths):
        files = sorted(p for p in path.rglob("*") if p.name.endswith((".jsonl", ".jsonl.gz"))) if path.is_dir() else [path]
        if path.is_dir() and not files:
            reader.tell("is a folder without records files (*.jsonl, *.jsonl.gz)", (str(path), 0))
        for file in files:
            reader.read(file)
    return reader.study()
