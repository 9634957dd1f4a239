"""A records file as pages cite it: its last run; for evidence all runs. Errors end the program with a message."""

import functools
import pathlib
import re
import sys

import pandas

from .. import cells, records
from ..text import listed, number


@functools.cache
def rungs_changed(root):
    """{commit: CUDA rungs whose machine code has changed since}, for the commits that were compared."""
    file = root / "docs" / "data" / "machine_code.csv"
    if not file.exists():  # records outside this repository
        return {}
    lines = pandas.read_csv(file, dtype=str)
    return lines[lines["same"] != lines["kernels"]].groupby("commit")["rung"].agg(set).to_dict()


def marked(root, commit, rungs):
    """The commit, with those of the shown rungs that have older code."""
    older = sorted(rungs_changed(root).get(commit, set()) & set(rungs))
    return f"{commit} (older code: {listed(older)})" if older else commit


class Source:
    def __init__(self, root, name):
        self.root, self.path = root, name
        self.study = study = records.read([root / name], samples=False)
        if not study.runs:
            sys.exit(f"{name}: {study.problems[0].text if study.problems else 'holds no run'}")
        self.run = list(study.runs.values())[-1]
        self.rows = [row for row in study.rows if row["run"] == self.run["run"]]
        self.evidence = study.others["evidence"]
        self.backends = list(dict.fromkeys(row["backend"] for row in self.rows))

    def built(self, rungs=()):
        """Commit, number of processes and CUB's versions of these rungs, or of all."""
        rows = [row for row in self.rows if not rungs or row["rung"] in rungs]
        commit = marked(self.root, self.run["commit"], {row["rung"] for row in rows if row["backend"] == "cuda"})
        processes, cubs = self.run["processes"], cells.cubs(rows)
        taken = f", {processes} processes" if processes > 1 else ""
        return f"commit {commit}", taken, f", {cubs}" if cubs else ""

    def select(self, rows=None, **wanted):
        """Measurements, or those of `rows`, with the wanted field values, of which several are separated by commas; n may be
        2^20."""
        rows = self.rows if rows is None else rows
        if "n" in wanted:
            wanted["n"] = ",".join(str(count(size)) for size in str(wanted["n"]).split(","))
        unknown = [key for key in wanted if rows and key not in rows[0]]
        if unknown:
            sys.exit(f"{self.path}: a measurement has no {unknown[0]}")
        chosen = [row for row in rows if all(str(row[key]) in str(value).split(",") for key, value in wanted.items())]
        if not chosen:
            sys.exit(f"{self.path}: no measurement with {wanted}")
        return chosen

    def one(self, rows=None, **wanted):
        """The single one of them with the wanted values."""
        chosen = self.select(rows, **wanted)
        if len(chosen) > 1:
            sys.exit(f"{self.path}: {len(chosen)} measurements with {wanted}: narrow the selection")
        return chosen[0]

    def source(self):
        """Source of a figure: machine, date and command."""
        devices = "; ".join(
            f"{device['name']} ({listed(device['backends'])}, theoretical peak "
            f"{number(device['peak_gbs']) + ' GB/s' if device['peak_gbs'] else 'unknown'})" for device in self.run["devices"])
        # Omit the directories of records and data.
        command = re.sub(r"(--records=|--data=file:)\S*/", r"\1", " ".join(self.run["command"][1:]))
        program = pathlib.PurePath(self.run["command"][0]).name
        commit, taken, cubs = self.built()
        return f"{devices}; {self.run['date'][:10]}, {commit}{taken}{cubs}: `{program} {command}`. Records: `{self.path}`."

    def in_short(self, rungs=()):
        """The source of these rungs, or of all, in short; the command is in the first line of the records."""
        commit, taken, cubs = self.built(rungs)
        names = listed(dict.fromkeys(device["name"] for device in self.run["devices"]))
        return f"{names}: {self.run['date'][:10]}, {commit}{taken or ', one process'}{cubs}, `{self.path}`"


class Sources(dict):
    """Records files by their path in the repository, each read once."""

    def __init__(self, root):
        super().__init__()
        self.root = root

    def __missing__(self, name):
        self[name] = Source(self.root, name)
        return self[name]

    def in_short(self, names, rungs=()):
        """Sources of several files, separated by commas."""
        return "; ".join(self[name].in_short(rungs) for name in names.split(","))


def count(text):
    """Parses "2^20" or "1048576"."""
    base, _, exponent = str(text).partition("^")
    return int(base) ** int(exponent) if exponent else int(base)
