"""Reads records files, of any machines, backends and days: the only reader, for the page, the comparison and docs/.

What cannot be used is never dropped without a word: it becomes a `Problem` that names file and line. What a later version
of the program may add is passed over, field by field; a record that lacks what the report needs is left out, and told (checks).
Records are those of schema 2 (docs/method.md, "Records"). The runs of one group are the processes of one study, and become
one run (processes).
"""

import collections
import gzip
import json
import operator
import pathlib
import re
import typing
import zlib

from . import checks, processes
from .study import Problem, Study

# What a measurement may leave open.
OPEN = ["seed", "family", "evicted_bytes", "moved_bytes", "launches", "blocks", "registers", "shared_bytes", "blocks_per_sm",
        "limiter", "depth", "shape"]
DEVICE_OPEN = ["id", "peak_gbs", "peak_source", "units", "eviction"]
KEPT = ["ceiling", "conditions", "energy", "evidence", "same_code"]  # as they are
NAMED = ["energy", "evidence"]  # of them, what is of a rung
# A sample that was taken again counts nowhere: the summary says how many there were. Of `static` no time was measured.
UNUSED = {"disturbed", "floor", "skipped", "static"}
KINDS = {"run", "measurement", "sample", "samples", "summary", *UNUSED, *KEPT}
SAMPLES = ('{"kind":"sample"', '{"kind":"samples"')  # how their lines begin


class Process(typing.NamedTuple):
    """Which process of which study a run is; `of` is how many processes the study was to have."""

    group: str
    index: int
    of: int


def data_of(run, record):
    """The name of the file that the data is from; empty where it is generated."""
    return pathlib.PurePath(str(run.get("data_file") or "")).name if record["data"] == "file" else ""


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


def cub_of(run, rung):
    """CUB's version, of a rung that is CUB's: the toolkit's, or that of the newer CCCL, which has the other modes; else empty."""
    if not rung.startswith("library_cub"):
        return ""
    build = (run.get("build") or {}).get("cuda") or {}
    if rung.endswith(("newest", "reproducible", "not_guaranteed")):
        return build.get("cccl_of_modes", "")
    toolkit = re.search(r"\d+\.\d+", build.get("compiler", ""))  # what records say before they have the toolkit's CCCL
    return build.get("cccl") or (f"of CUDA {toolkit[0]}" if toolkit else "")


swept_by = operator.itemgetter("space", "bytes", "cache")  # what a measurement and its ceiling have in common, besides the run


def on_input_of(row, ceiling):
    """Whether a sweep was of the input of this measurement: of all inputs alike, where it names none."""
    return all(row.get(field) == value for field, value in ceiling.get("input", {}).items())


def opened(path):
    """The lines of a file, compressed or not, whatever its name says."""
    with open(path, "rb") as begin:
        compressed = begin.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rt", encoding="utf-8") if compressed else open(path, encoding="utf-8")


class Reader:
    """Collects the records of several files."""

    def __init__(self, samples=True):
        self.with_samples = samples
        self.told, self.lines, self.files = {}, 0, []  # told: {(file, text): its lines}
        self.processes, self.runs, self.devices = {}, {}, {}
        self.measurements, self.summaries, self.samples, self.results = {}, {}, {}, {}
        self.first_of, self.left_out = {}, set()  # {(group, id): the first line of a measurement}; ids of what cannot be used
        self.others = {kind: [] for kind in KEPT}
        self.newer = set()

    def tell(self, file, line, text):
        """What is wrong with a line, or with a file (line 0). What is wrong with many lines is told once, with their number."""
        self.told.setdefault((file, text), []).append(line)

    def problems(self):
        return [Problem(file, lines[0], text + (f" (and {len(lines) - 1} more lines like it)" if len(lines) > 1 else ""))
                for (file, text), lines in self.told.items()]

    def read(self, path):
        file = str(path)
        self.files.append(file)
        number = 0
        try:
            with opened(path) as lines:
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
        """Returns the record where it is used, or would be by another."""
        text = line.strip()
        if not text or not self.with_samples and text.startswith(SAMPLES):
            return None
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            ends = "" if line.endswith("\n") else " (it is the last line: the program was stopped while it wrote)"
            return self.tell(file, number, f"is cut short or is no record{ends}")
        if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
            return self.tell(file, number, "has no kind: is this a records file?")
        kind, run = record["kind"], record.get("run")
        if kind in UNUSED:
            return record
        if not isinstance(run, str):
            return self.tell(file, number, "names no run: left out")
        if kind not in KINDS:
            self.tell(file, number, f"a record of a kind ({kind}) that this report does not know: passed over")
        elif kind == "run":
            return self.begin(file, number, record)
        elif run in self.newer:
            return None
        elif run not in self.runs:
            self.newer.add(run)
            return self.tell(file, number,
                             f"belongs to a run ({run}) whose beginning is not in these files: its records are left out")
        elif kind in ("sample", "samples"):
            return self.sample(file, number, record, kind)
        elif not self.has(file, number, record, kind, self.runs[run]["axes"] if kind in ("measurement", "energy") else ()):
            if kind == "measurement":
                self.left_out.add(str(record.get("id")))
            return None
        else:
            self.keep(file, number, record, kind)
        return record

    def sample(self, file, number, record, kind):
        """A sample, or all right ones of a process (`samples`)."""
        if kind == "sample" and not record.get("ok"):
            return record
        if not self.has(file, number, record, kind):
            return None
        key, many = (record["run"], record["id"]), kind == "samples"
        self.samples.setdefault(key, []).extend([one / 1e9 for one in record["nanoseconds"]] if many else [record["seconds"]])
        if found := record.get("results") if many else {record["result"]: 1} if "result" in record else None:
            self.results.setdefault(key, collections.Counter()).update(found)
        return record

    def keep(self, file, number, record, kind):
        run = record["run"]
        record["where"] = f"{file}:{number}"
        if kind == "measurement":
            self.measure(file, number, record)
        elif kind == "summary":
            self.describe(file, number, run, record["id"])
            self.summaries[run, record["id"]] = record
        else:
            self.others[kind].append(record | (self.explained(record) if kind in NAMED else {}))

    def begin(self, file, number, record):
        run, schema, process = record["run"], record.get("schema"), record.get("process")
        if type(schema) is not int or schema != checks.SCHEMA:
            self.newer.add(run)
            what = "has no schema" if schema is None else f"is of schema {schema}, and this report knows {checks.SCHEMA}"
            return self.tell(file, number, f"run {run} {what}: it is left out; make the report with the version that wrote it")
        if run in self.runs:
            # --resume appends to the same run's file under a new run, so the same run twice is the same records twice.
            return self.tell(file, number, f"run {run} was read before, from {self.runs[run]['where']}: counted once")
        if not self.has(file, number, record, "run") or process and not self.has(file, number, process, "process"):
            return self.newer.add(run)
        self.processes[run] = Process(**{name: process[name] for name in Process._fields}) if process else Process(run, 1, 1)
        self.runs[run] = {**record, "axes": record.get("axes") or [], "types": record.get("types") or {},
                          "where": f"{file}:{number}"}
        for device in record.get("devices") or []:
            if self.has(file, number, device, "device"):
                for backend in device["backends"]:
                    self.devices[run, backend] = {**dict.fromkeys(DEVICE_OPEN), **device}
        return record

    def measure(self, file, number, record):
        key, axes = (record["run"], record["id"]), self.runs[record["run"]]["axes"]
        device = self.devices.get((record["run"], record["backend"]))
        if device is None or record.get("offset"):
            self.left_out.add(record["id"])
        if device is None:
            return self.tell(file, number, f"measured on {record['backend']}, which the run does not describe: left out")
        if record.get("offset"):
            return self.tell(file, number, f"its input begins {record['offset']} bytes behind an aligned address: left out")
        self.first_of.setdefault((self.processes[record["run"]].group, record["id"]), record)
        if key not in self.measurements:
            self.measurements[key] = {
                **{name: record[name] for name in ["run", "id", "where", *checks.IDENTITY]},
                **{name: record.get(name) for name in [*axes, *OPEN]}, **self.explained(record),
                "place": record.get("place") or "",
                "file": data_of(self.runs[record["run"]], record), "machine": machine_of(self.runs[record["run"]], device),
                "device_kind": device["kind"], "space": device["space"], "peak_gbs": device["peak_gbs"]}

    def describe(self, file, number, run, name):
        """Of a process that has a summary alone (tools/pack.py): it measured what the first line in its group says."""
        if (run, name) not in self.measurements and name not in self.left_out:
            if first := self.first_of.get((self.processes[run].group, name)):
                self.measure(file, number, first | {"run": run})
            else:
                self.tell(file, number, "a summary of a measurement that is not described before it: left out")

    def explained(self, record):
        """What a record has from its run: the names of its rung, device and type."""
        run, device = self.runs[record["run"]], self.devices.get((record["run"], record["backend"]), {})
        element = run["types"].get(record["type"], {})
        return {"name": name_of_rung(record), "cub": cub_of(run, record["rung"]),
                "tuning": tuning_of(record, run["axes"]), "device": device.get("name", "?"),
                "words": element.get("words", record["type"]), "element_bytes": element.get("bytes")}

    def has(self, file, number, record, kind, axes=()):
        """Whether a record says what is needed; told where it does not."""
        if complaint := checks.complaint(record, kind, axes):
            self.tell(file, number, complaint)
        return not complaint

    def process_of(self, run):
        """What the pieces of one process have in common: its place in a study; without one, their file."""
        return self.processes[run][:2] if self.runs[run].get("process") else file_of(self.runs[run])

    def finished_later(self):
        """(run, name, the later run) of what a process left unfinished and a later piece of it finished (--resume)."""
        finished = {(self.process_of(run), name): run for run, name in reversed(self.summaries)}  # the first to finish it
        found = [(run, name, finished.get((self.process_of(run), name))) for run, name in self.unfinished()]
        return [one for one in found if one[2]]

    def carry_over(self):
        """What a later piece of a process finished is the later one's, with its samples."""
        for run, name, later in self.finished_later():
            del self.measurements[run, name]
            self.samples[later, name] = self.samples.pop((run, name), []) + self.samples.get((later, name), [])
            self.results.setdefault((later, name), collections.Counter()).update(self.results.pop((run, name), ()))

    def unfinished(self):
        return [key for key in self.measurements if key not in self.summaries]

    def rows(self):
        """A row for each measurement of each study, of all its processes."""
        ceilings, same = {}, {}
        for ceiling in sorted(self.others["ceiling"], key=lambda one: one["gbs"]):
            ceilings.setdefault((ceiling["run"], *swept_by(ceiling)), []).insert(0, ceiling)
        for run, name in self.measurements:
            same.setdefault((self.processes[run].group, name), []).append(run)
        for (group, name), runs in same.items():
            found = {run: self.summaries[run, name] for run in runs if (run, name) in self.summaries}
            row = {**self.measurements[runs[0], name], "run": group, **processes.joined(found),
                   "samples": sum(len(self.samples.get((run, name), ())) for run in runs)}
            swept = {}
            for run in runs:
                for one in ceilings.get((run, *swept_by(row)), ()):  # from the fastest to the slowest
                    if on_input_of(row, one):
                        swept.setdefault(run, one)
            yield row | processes.bandwidths(row, swept)

    def tell_unfinished(self):
        unfinished = {}
        for run, name in self.unfinished():
            unfinished.setdefault(run, []).append(self.measurements[run, name])
        for run, (first, *more) in unfinished.items():
            file, _, line = first["where"].rpartition(":")
            taken = len(self.samples.get((run, first["id"]), ()))
            self.tell(file, int(line), f"run {run} was stopped: {1 + len(more)} of its measurements lack a summary, the first "
                                       f"{first['rung']} on {first['backend']} at n = {first['n']} with {taken} right "
                                       f"samples: they have no time; --resume takes what is missing")

    def of_groups(self):
        """{group: the record of its first process, with the number of processes}; told where some are missing."""
        groups, runs = {}, {}
        for run, process in self.processes.items():
            groups.setdefault(process.group, {})[process.index] = process.of
            runs.setdefault(process.group, {**self.runs[run], "run": process.group})
        for group, known in groups.items():
            runs[group]["processes"] = len(known)
            file, _, line = runs[group]["where"].rpartition(":")
            if len(known) < max(known.values()):
                self.tell(file, int(line), f"run {group} has {len(known)} of its {max(known.values())} processes: --resume takes "
                                           "what is missing")
        return runs

    def joined(self, found, join):
        """{(run, name): what is known} by group instead of run."""
        groups = {}
        for (run, name), one in found.items():
            key = self.processes[run].group, name
            groups[key] = join(groups[key], one) if key in groups else one
        return groups

    def study(self):
        self.carry_over()
        rows, runs = list(self.rows()), self.of_groups()
        self.tell_unfinished()
        others = {kind: [one | {"run": self.processes[one["run"]].group} if "run" in one else one for one in found]
                  for kind, found in self.others.items()}
        devices = self.joined(self.devices, lambda first, _: first)
        samples, results = (self.joined(found, operator.add) for found in (self.samples, self.results))
        apart = self.joined({key: {key[0]: taken} for key, taken in self.samples.items()}, operator.or_)
        return Study(runs, devices, rows, others, self.problems(), self.lines, self.files, samples, results, apart)


def file_of(run):
    return run["where"].rpartition(":")[0]


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
