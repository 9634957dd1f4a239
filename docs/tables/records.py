"""Records files, as the program and tools/evidence.py write them."""

import gzip
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def parsed(line):
    """The record, or nothing for a line that a kill cut short."""
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        return None


def listed(names):
    """"a", "a and b", "a, b and c"."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


class Records:
    """The last run of a records file, by kind; of evidence, all runs."""

    def __init__(self, path):
        opened = gzip.open(path, "rt") if path.suffix == ".gz" else open(path)
        with opened as lines:
            self.lines = lines.read().splitlines()
        records = [record for record in map(parsed, self.lines) if record]
        runs = [r for r in records if r["kind"] == "run"]
        self.path = path
        self.run = runs[-1]
        self.evidence = [r for r in records if r["kind"] == "evidence"]
        measurements = [r for r in records if r["kind"] == "measurement"]
        records = [r for r in records if r.get("run") == self.run["run"]]
        self.measurements = [r for r in records if r["kind"] == "measurement"]
        self.backends = list(dict.fromkeys(m["backend"] for m in self.measurements))
        self.earlier = {m["backend"] for m in measurements} - set(self.backends)
        self.same_code = [r for r in records if r["kind"] == "same_code"]
        self.summaries = {r["id"]: r for r in records if r["kind"] == "summary"}
        self.ceilings = [r for r in records if r["kind"] == "ceiling"]

    def select(self, **wanted):
        """Measurements with their summaries, those whose fields are as wanted: a value, or several with commas."""
        chosen = []
        for measurement in self.measurements:
            if all(str(measurement[key]) in str(value).split(",") for key, value in wanted.items()):
                chosen.append((measurement, self.summaries[measurement["id"]]))
        if not chosen:
            sys.exit(f"{self.path}: no measurement with {wanted}")
        return chosen

    def one(self, **wanted):
        """The one measurement as wanted; with several backends in the file, of the one that is named."""
        if len(self.backends) > 1 and "backend" not in wanted:
            sys.exit(f"{self.path}: holds {listed(self.backends)}, and {wanted} names none: narrow it with backend=")
        chosen = self.select(**wanted)
        if len(chosen) > 1:
            sys.exit(f"{self.path}: {len(chosen)} measurements with {wanted}: narrow the selection")
        return chosen[0]

    def facts(self, rung, **wanted):
        """The evidence of a rung, by the fact's name."""
        chosen = [r for r in self.evidence
                  if r["rung"] == rung and all(str(r[key]) == str(value) for key, value in wanted.items())]
        if len(chosen) != 1:
            sys.exit(f"{self.path}: {len(chosen)} records of evidence of {rung} with {wanted}, not one")
        return chosen[0]

    def ceiling(self, measurement):
        space = {d["backend"]: d["memory_space"] for d in self.run["devices"]}[measurement["backend"]]
        for ceiling in self.ceilings:
            key = (ceiling["space"], ceiling["bytes"], ceiling["cache"])
            if key == (space, measurement["bytes"], measurement["cache"]):
                return ceiling
        return None

    def source(self):
        """Machine, date and command: what a figure has to come with."""
        backends = {}
        for d in self.run["devices"]:
            peak = f"{d['peak_gbs']:.0f} GB/s" if d["peak_gbs"] else "unknown"
            backends.setdefault((d["name"], peak), []).append(d["backend"])
        devices = "; ".join(f"{name} ({listed(on)}, theoretical peak {peak})" for (name, peak), on in backends.items())
        # Where the records were written at the time says nothing.
        command = re.sub(r"--records=\S*/", "--records=", " ".join(self.run["command"][1:]))
        program = pathlib.PurePath(self.run["command"][0]).name
        where = self.path.relative_to(ROOT)
        return (f"{devices}; {self.run['date'][:10]}, commit {self.run['commit']}: `{program} {command}`. "
                f"Records: `{where}`.")


class Files:
    """Records files by their path in the repository, each read once."""

    def __init__(self):
        self.loaded = {}

    def __getitem__(self, name):
        if name not in self.loaded:
            self.loaded[name] = Records(ROOT / name)
        return self.loaded[name]
