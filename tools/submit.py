#!/usr/bin/env python3
"""Takes the records of a machine into docs/results, where they can be committed.

    ./study submit [--name=NAME] FILE...

Each FILE is what `./study run --processes=5 --records=FILE` wrote. Packed (pack.py) they go to the new folder docs/results/NAME,
with a page of their tables; nothing else is written. Without --name the folder is called after the GPU, else the processor.

Refused, with what to do: what the report cannot read; records of two machines, of fewer than five processes, or with a wrong or
failed result; a build that is no Release, or whose commit is not in the history here; what at a memory size is faster than its
ceiling or the peak by more than processes differ. Exit status: 0 taken; 2 refused, and nothing was written.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys

import docs
import pack
import shared
from docs_tables import shown_device
from report import intervals, records
from report.pages.source import Sources
from report.text import listed, number, problem_text
from shared import Failure

PROCESSES = 5
OVER = 1.01  # of the ceiling: from there on the program calls its sweep too weak (bench/results/derived.cpp)
SHOWN = 5  # complaints of one kind
# Words of vendors that do not tell one machine from another.
SAID_OF_ALL = re.compile(r"\((r|tm|c)\)|@.*|\bwith .*|\b(nvidia|amd|intel|instinct|geforce|radeon|tesla|processor|cpu|graphics|"
                         r"\w+-core)\b", re.I)
NAME = re.compile(r"(?!figures$)[a-z0-9][a-z0-9._-]*")


class File:
    """A records file that is to be taken: its packed lines, its study, and what is wrong with it as a file."""

    def __init__(self, path):
        self.path, reader = path, pack.Reader()
        reader.read(path)
        self.lines, left_out = pack.lines_of(reader)
        self.study = reader.study()
        self.runs, self.told = list(reader.runs.values()), [*map(str, self.study.problems)] or left_out


def of_build(run, root):
    """What is wrong with the build that a run is of, or nothing."""
    commit = run.get("commit") or "unknown"
    unoptimized = [group for group, facts in (run.get("build") or {}).items() if facts.get("optimized") == "no"]
    in_history = ["git", "-C", root, "merge-base", "--is-ancestor", commit, "HEAD"]
    if commit == "unknown":
        return "it was built from unknown sources. Build in a clone of the repository, then measure again"
    if commit.endswith("-dirty"):
        return f"it was built from files that differ from commit {commit.removesuffix('-dirty')}. Commit them, then measure again"
    if subprocess.run(in_history, capture_output=True).returncode:
        return f"it was built from commit {commit}, which is not in the history here. Switch to a branch that has it"
    if unoptimized or run.get("build_type", "Release") != "Release":
        what = ", ".join(unoptimized) or run["build_type"]
        return f"its build is not optimized ({what}). Measure with what ./study run builds"
    return ""


def of_runs(file, root):
    machines = collections.defaultdict(set)
    for run in file.runs:
        for device in run.get("devices") or ():
            whose = records.machine_of(run, {**dict.fromkeys(records.DEVICE_OPEN), **device})
            machines[device["space"]].add((device["name"], device.get("units"), whose))
    for run in file.study.runs.values():
        if wrong := of_build(run, root):
            yield f"run {run['run']}: {wrong}."
        timed = any(row["run"] == run["run"] for row in file.study.rows)  # energy has rounds instead
        if timed and run["processes"] < PROCESSES:
            yield (f"run {run['run']} has {run['processes']} of {PROCESSES} processes: without them nobody knows how far the "
                   f"next one would be off. Measure again with --processes={PROCESSES}.")
    for space, found in machines.items():
        if len(found) > 1:
            yield f"its records on {space} are of {len(found)} machines. Measure and submit each in files of its own."


def named(row):
    return f"{row['name']} on {row['backend']} ({problem_text(row)})"


def told(found, what_to_do):
    """The first of these, how many more there are, and what to do."""
    if found:
        yield from found[:SHOWN]
        more = f"... and {len(found) - SHOWN} more like these. " if len(found) > SHOWN else ""
        yield more + what_to_do


def of_results(file):
    bad = [f"{named(row)} is {row['status']}" + (f": {row['error']}" if row["error"] else "")
           for row in file.study.rows if row["status"] != "right"]
    bad += [f"round {one['round']} of the energy of {one['name']} on {one['backend']} failed: {one.get('error')}"
            for one in file.study.others["energy"] if not one["ok"]]
    yield from told(bad, "What is not right is no result. Open an issue with these records; measure again without it (--rungs=).")
    few = [f"{named(row)} was measured by {row['processes']} of the processes" for row in file.study.rows
           if row["status"] == "right" and row["processes"] < PROCESSES <= file.study.runs[row["run"]]["processes"]]
    yield from told(few, f"{PROCESSES} are needed: measure it again, or all else without it (--rungs=).")


def of_limits(file):
    """Of what is so large that caches play no part: what lies above its ceiling or the peak by more than processes differ."""
    without, over, past = [], [], []
    for row in file.study.rows:
        device = file.study.devices[row["run"], row["backend"]]
        if row["status"] != "right" or row["bytes"] < max(256 << 20, 4 * (device.get("last_level_cache") or 0)):
            continue
        part = intervals.of(row["parts"].values())
        if not row["ceiling_gbs"]:
            without.append(f"{named(row)} has no ceiling")
        elif part and part.ends[0] > OVER:
            least, most = (number(end) for end in part.ends)
            over.append(f"{named(row)} is {least} to {most} times as fast as its ceiling, {number(row['ceiling_gbs'])} GB/s")
        slowest = row["bytes"] / (row["high"] or row["time"]) / 1e9
        if row["cache"] == "cold" and device["peak_gbs"] and slowest > device["peak_gbs"]:
            past.append(f"{named(row)} reaches {number(slowest)} GB/s or more, and the peak is given as "
                        f"{number(device['peak_gbs'])} GB/s ({device['peak_source']})")
    yield from told(without, "Whether that is possible cannot be judged: measure again without --no-ceilings.")
    yield from told(over, "The sweep for the ceiling was too weak, or something else ran: measure again on an idle machine.")
    yield from told(past, "The peak is wrong: measure again with --peak-gbs=, the vendor's figure, and say where it is from.")


def complaints(file, root):
    """Why a file cannot be taken into the clone at `root`: nothing where it can."""
    if file.told:
        yield from told(file.told, "Only whole records are taken: ./study run --resume with the same options finishes a run.")
    elif not file.study.rows and not file.study.others["energy"]:
        yield f"{file.path} holds no measurement: ./study run --processes={PROCESSES} --records=FILE makes some."
    else:
        found = [*of_runs(file, root), *of_results(file), *of_limits(file)]
        yield from (f"{file.path}: {text}" for text in dict.fromkeys(found))


def device_of(files):
    """The device that the machine is called after: the GPU, where there is one. Each file has to be of the same devices."""
    found = {}
    for file in files:
        for device in (device for run in file.runs for device in run.get("devices") or ()):
            known, path = found.setdefault(device["space"], (device, file.path))
            if (known["name"], known.get("units")) != (device["name"], device.get("units")):
                names = shown_device(known), shown_device(device)
                raise Failure(f"{path} is of {names[0]}, and {file.path} of {names[1]}: submit each on its own.")
    return min((device for device, _ in found.values()), key=lambda device: (device["kind"] == "cpu", device["space"]))


def folder_name(device):
    """"h200", "epyc-7763-64"."""
    words = re.findall(r"[a-z0-9.]+", SAID_OF_ALL.sub(" ", device["name"]).lower())
    cores = [str(device["units"])] if device["kind"] == "cpu" and device.get("units") else []
    return "-".join([*(words or ["machine"]), *cores]).strip(".")


def file_name(path):
    """The name in the folder. Of a name that ./study run made it is the date: the rest is the computer's name."""
    stem = re.sub(r"\.jsonl(\.gz)?$", "", path.name)
    stem = re.sub(r"^(\d{4}-\d\d-\d\dT\d{6}Z)-.*", r"\1", stem)
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip(".-") + ".jsonl.gz"


def tables_of(source, title):
    """A records file's part of the page: the problem that most of it is about, at its largest size, then over all sizes."""
    lines = [f"## {title}\n"]
    if source.study.others["energy"]:
        lines += [f"<!-- table: energy records={source.path} -->", "<!-- end -->\n"]
    if not source.rows:
        return lines
    about = ("type", "op", "cache", "scope", "data")
    most = collections.Counter(tuple(row[name] for name in about) for row in source.rows).most_common(1)[0][0]
    rows = [row for row in source.rows if tuple(row[name] for name in about) == most]
    fields = " ".join(f"{name}={value}" for name, value in zip(about, most))
    largest = max(row["n"] for row in rows)
    lines += [f"<!-- table: problem records={source.path} n={largest} {fields} -->", "<!-- end -->\n"]
    once = len({(row["backend"], row["rung"], row["n"]) for row in rows}) == len(rows)
    if once and min(row["n"] for row in rows) < largest:
        lines += [f"<!-- table: sizes records={source.path} value=gbs {fields} -->", "<!-- end -->\n"]
    return lines


def write_page(folder, root, device):
    """Writes the page of a folder, with its tables as tools/docs.py makes them."""
    path, sources, lines = folder / "README.md", Sources(root), []
    for file in sorted(folder.glob("*.jsonl.gz")):
        lines += tables_of(sources[file.relative_to(root).as_posix()], file.name.removesuffix(".jsonl.gz"))
    path.write_text("\n".join([
        f"# {shown_device(device)}\n",
        "Every table is made of the records beside this page (`tools/docs.py`). What the columns mean is in "
        "[the method](../../method.md).\n", *lines]), encoding="utf-8")
    path.write_text(docs.Page(path, sources, None).made(), encoding="utf-8")


def take(files, folder, root, device):
    """Writes the folder, whole or not at all."""
    try:
        folder.mkdir()
        try:
            for file in files:
                pack.write(folder / file_name(file.path), file.lines)
            write_page(folder, root, device)
        except BaseException:
            shutil.rmtree(folder)
            raise
    except OSError as error:
        raise Failure(f"{folder}: cannot be written: {error.strerror}.") from None


def main(words=None, root=shared.ROOT):
    parser = argparse.ArgumentParser(prog="./study submit", description="Takes the records of a machine into docs/results.")
    parser.add_argument("records", nargs="+", metavar="FILE", type=pathlib.Path, help="what ./study run --records=FILE wrote")
    parser.add_argument("--name", help="the folder's name below docs/results (default: after the GPU, else the processor)")
    arguments = parser.parse_args(words)
    shared.printed(["git", "-C", root, "rev-parse", "--verify", "HEAD"],
                   f"{root} is no clone of the repository, and from nothing else a change can be sent")
    files = [File(path) for path in arguments.records]
    if refused := [f"  {text}" for file in files for text in complaints(file, root)]:
        raise Failure("\n".join(["not taken, and nothing was written:", *refused]))
    device = device_of(files)
    name = folder_name(device) if arguments.name is None else arguments.name
    if not NAME.fullmatch(name):
        raise Failure(f"--name={name} cannot be a folder here: small letters, digits, '.', '_' and '-', say --name=mi300x.")
    names = collections.Counter(file_name(file.path) for file in files)
    if (most := names.most_common(1)[0])[1] > 1:
        raise Failure(f"{most[1]} files would be {most[0]} in docs/results/{name}: give them other names.")
    folder = root / "docs" / "results" / name
    if folder.exists():
        raise Failure(f"docs/results/{name} is there already, and stays as it is: --name={name}-2, say, is a folder of its own.")
    take(files, folder, root, device)
    print(f"""\
Taken into docs/results/{name}: {listed(['README.md', *names])}. Next, in the repository's folder:
  git switch -c records-{name}
  {sys.executable} tools/docs.py     # its line in docs/results/README.md
  git add docs/results/{name} docs/results/README.md
  git commit -m "Records of a machine: {shown_device(device)}"
  git push -u origin records-{name}
Then open a pull request. Write there what the records do not know: whether it is a virtual machine, what else ran on it, which
clocks or power limits were set. Records tell the command line, the system's release, and the devices with their ids: have a look
before they are public.""")
    return 0


if __name__ == "__main__":
    shared.ended(main)
