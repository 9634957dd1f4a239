"""A records file as pages cite it: its last run; for evidence all runs. Errors end the program with a message."""

import collections
import csv
import functools
import pathlib
import re
import sys

from .. import cells, records
from ..text import listed, number


@functools.cache
def rungs_changed(root):
    """{commit: CUDA rungs whose machine code has changed since}, for the commits that were compared."""
    file, found = root / "docs" / "data" / "machine_code.csv", collections.defaultdict(set)
    if not file.exists():  # records outside this repository
        return found
    with open(file, encoding="utf-8", newline="") as lines:
        for line in csv.DictReader(lines):
            if line["same"] != line["kernels"]:
                found[line["commit"]].add(line["rung"])
    return found


def marked(root, commit, rungs):
    """The commit, with those of the shown rungs that have older code."""
    older = sorted(rungs_changed(root).get(commit, set()) & set(rungs))
    return f"{commit} (older code: {listed(older)})" if older else commit


class Source:
    def __init__(self, root, name):
        self.path = name
        self.study = study = records.read([root / name], samples=False)
        if not study.runs:
            sys.exit(f"{name}: {study.problems[0].text if study.problems else 'holds no run'}")
        self.run = list(study.runs.values())[-1]
        self.axes = self.run["axes"]
        self.rows = [row for row in study.rows if row["run"] == self.run["run"]]
        self.evidence = study.others["evidence"]
        self.backends = list(dict.fromkeys(row["backend"] for row in self.rows))
        self.commit = marked(root, self.run["commit"], {row["rung"] for row in self.rows if row["backend"] == "cuda"})
        self.cub = "".join(f", {version}" for version in [cells.cubs(self.rows)] if version)

    def select(self, **wanted):
        """Measurements with the wanted field values; several values are separated by commas."""
        unknown = [key for key in wanted if self.rows and key not in self.rows[0]]
        if unknown:
            sys.exit(f"{self.path}: a measurement has no {unknown[0]}")
        chosen = [row for row in self.rows if all(str(row[key]) in str(value).split(",") for key, value in wanted.items())]
        if not chosen:
            sys.exit(f"{self.path}: no measurement with {wanted}")
        return chosen

    def one(self, **wanted):
        """The single measurement with the wanted values; the backend is required if the file has several."""
        if len(self.backends) > 1 and "backend" not in wanted:
            sys.exit(f"{self.path}: holds {listed(self.backends)}, and {wanted} names none: narrow it with backend=")
        chosen = self.select(**wanted)
        if len(chosen) > 1:
            sys.exit(f"{self.path}: {len(chosen)} measurements with {wanted}: narrow the selection")
        return chosen[0]

    def facts(self, rung, **wanted):
        """Evidence of a rung."""
        chosen = [record for record in self.evidence
                  if record["rung"] == rung and all(str(record[key]) == str(value) for key, value in wanted.items())]
        if len(chosen) != 1:
            sys.exit(f"{self.path}: {len(chosen)} records of evidence of {rung} with {wanted}, not one")
        return chosen[0]

    def source(self):
        """Source of a figure: machine, date and command."""
        devices = "; ".join(
            f"{device['name']} ({listed(device['backends'])}, theoretical peak "
            f"{number(device['peak_gbs']) + ' GB/s' if device['peak_gbs'] else 'unknown'})" for device in self.run["devices"])
        # Omit the directories of records and data.
        command = re.sub(r"(--records=|--data=file:)\S*/", r"\1", " ".join(self.run["command"][1:]))
        program = pathlib.PurePath(self.run["command"][0]).name
        taken = f", {self.run['processes']} processes" if self.run["processes"] > 1 else ""
        return (f"{devices}; {self.run['date'][:10]}, commit {self.commit}{taken}{self.cub}: `{program} {command}`. "
                f"Records: `{self.path}`.")

    def in_short(self):
        """The source in short; the command is in the first line of the records."""
        taken = f", {self.run['processes']} processes" if self.run["processes"] > 1 else ", one process"
        names = listed(dict.fromkeys(device["name"] for device in self.run["devices"]))
        return f"{names}: {self.run['date'][:10]}, commit {self.commit}{taken}{self.cub}, `{self.path}`"


class Sources(dict):
    """Records files by their path in the repository, each read once."""

    def __init__(self, root):
        super().__init__()
        self.root = root

    def __missing__(self, name):
        self[name] = Source(self.root, name)
        return self[name]

    def in_short(self, names):
        """Sources of several files, separated by commas."""
        return "; ".join(self[name].in_short() for name in names.split(","))


def count(text):
    """Parses "2^20" or "1048576"."""
    base, _, exponent = str(text).partition("^")
    return int(base) ** int(exponent) if exponent else int(base)
