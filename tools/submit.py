#!/usr/bin/env python3
"""./study submit [--name=NAME] FILE...

Adds the records of a new machine to docs/results; `./study run --processes=5 --records=FILE` makes them. Checks and packs them
(pack.py), and writes them to the new folder docs/results/NAME with a page of their tables; existing files are not changed. Then
prints the steps to a pull request. NAME defaults to the GPU's name, without a GPU to the processor's name and its cores.

Refuses, with a remedy: incomplete records, another schema, two machines, fewer than five processes; a wrong or failed result;
a build from uncommitted files, or of a commit that is not in this history; a rung that at a memory size is faster than its
ceiling or the peak beyond the interval between processes. Exit status: 0 taken; 2 refused, and nothing was written.
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
from report import intervals, named
from report.cells import OVER
from report.pages.source import Sources
from report.text import number, problem_text
from shared import Failure

PROCESSES = 5
SHOWN = 5  # maximum complaints of one kind
NOT_RIGHT = "What is not right is no result. Open an issue with these records; measure again without it (--rungs=)."
NAME = re.compile(r"(?!figures$)[a-z0-9][a-z0-9._-]*")
CASE = ("type", "op", "cache", "scope", "data")  # fields that define one table of a page


class File:
    """A submitted records file: packed lines, study, devices with their `run` records, and records that pack.py omits."""

    def __init__(self, path):
        self.path, reader = path, pack.Reader()
        reader.read(path)
        self.lines, left_out = pack.lines_of(reader)
        self.study = reader.study()
        self.unread = [f"line {one.line}: {one.text}" if one.line else one.text for one in self.study.problems] or left_out
        self.devices = [(run, device) for run in reader.runs.values() for device in run["devices"]]


def of_build(run, root):
    """Problem of a run's build; empty if none."""
    commit = run["commit"]
    slow = [group for group, facts in run["build"].items() if facts.get("optimized") == "no"]
    if run.get("build_type", "Release") != "Release":
        slow.append(run["build_type"])
    if commit == "unknown":
        return "it was built from unknown sources. Build in a clone of the repository, then measure again"
    if commit.endswith("-dirty"):
        return f"it was built from files that differ from commit {commit.removesuffix('-dirty')}. Commit them, then measure again"
    if subprocess.run(["git", "-C", root, "merge-base", "--is-ancestor", commit, "HEAD"], capture_output=True).returncode:
        return f"it was built from commit {commit}, which is not in the history here. Switch to a branch that has it"
    return f"its build is not optimized ({', '.join(slow)}). Measure with what ./study run builds" if slow else ""


def of_runs(file, root):
    """(problem, remedy) for each problem with the runs of a file."""
    timed = {row["run"] for row in file.study.rows}  # energy has rounds instead of processes
    for run in file.study.runs.values():
        if wrong := of_build(run, root):
            yield f"run {run['run']}: {wrong}", ""
        if run["run"] in timed and run["processes"] < PROCESSES:
            yield (f"run {run['run']} has {run['processes']} of {PROCESSES} processes",
                   f"Measure again with --processes={PROCESSES}.")
    for one in file.study.others["energy"]:
        if not one["ok"]:
            yield f"round {one['round']} of the energy of {one['name']} on {one['backend']} failed: {one.get('error')}", NOT_RIGHT


def of_row(row, run, device):
    """(problem, remedy) for each problem with a measurement."""
    name = f"{row['name']} on {row['backend']} ({problem_text(row)})"
    if row["status"] != "right":
        yield f"{name} is {row['status']}" + (f": {row['error']}" if row["error"] else ""), NOT_RIGHT
        return
    if row["processes"] < PROCESSES <= run["processes"]:
        yield f"{name} was measured by {row['processes']} of the processes", \
              f"{PROCESSES} are needed: measure it again, or all else without it (--rungs=)."
    if row["bytes"] < max(256 << 20, 4 * (device.get("last_level_cache") or 0)):
        return  # caches affect it
    share, slowest = intervals.of(row["parts"].values()), row["bytes"] / (row["high"] or row["time"]) / 1e9
    if not row["ceiling_gbs"]:
        yield f"{name} has no ceiling", "Whether that is possible cannot be judged: measure again without --no-ceilings."
    elif share and share.ends[0] > OVER:
        least, most = (number(end) for end in share.ends)
        yield f"{name} is {least} to {most} times as fast as its ceiling, {number(row['ceiling_gbs'])} GB/s", \
              "The sweep for the ceiling was too weak, or something else ran: measure again on an idle machine."
    if row["cache"] == "cold" and device["peak_gbs"] and slowest > device["peak_gbs"]:
        yield f"{name} reaches {number(slowest)} GB/s or more, and the peak is given as {number(device['peak_gbs'])} GB/s " \
              f"({device['peak_source']})", \
              f"The peak is wrong: measure again with the vendor's figure, --peak-gbs={row['backend']}:GBS, and say its source."


def complaints(file, root):
    """Yields the reasons why a file cannot be added to the clone at `root`, with remedies, a few of each kind."""
    study = file.study
    if file.unread:
        found = [(text, "Only whole records are taken: ./study run --resume with the same options finishes a run.")
                 for text in file.unread]
    elif not study.rows and not study.others["energy"]:
        found = [("it holds no measurement", f"./study run --processes={PROCESSES} --records=FILE makes some.")]
    else:
        found = [*of_runs(file, root), *(one for row in study.rows for one in of_row(
            row, study.runs[row["run"]], study.devices[row["run"], row["backend"]]))]
    by_remedy = collections.defaultdict(list)
    for sentence, remedy in dict.fromkeys(found):
        by_remedy[remedy].append(sentence)
    for remedy, sentences in by_remedy.items():
        yield from (f"{file.path}: {sentence}" for sentence in sentences[:SHOWN])
        if len(sentences) > SHOWN:
            yield f"... and {len(sentences) - SHOWN} more like these."
        if remedy:
            yield remedy


def device_of(files):
    """The device that names the machine, preferably a GPU. All records must be from the same devices."""
    found, machines = [one for file in files for one in file.devices], collections.defaultdict(set)
    for run, device in found:
        machines[device["space"]].add((named.device(device), device.get("units"), named.machine(run, device)))
    for space, some in machines.items():
        if len(some) > 1:
            raise Failure(f"the records on {space} are of {len(some)} machines: submit each on its own.")
    return min((device for _, device in found), key=lambda one: (one["kind"] == "cpu", one["space"]))


def file_name(path):
    """Name of a file in the folder; of names by ./study run only the date, without the computer's name."""
    stem = re.sub(r"\.jsonl(\.gz)?$", "", path.name)
    stem = re.sub(r"^(\d{4}-\d\d-\d\dT\d{6}Z)-.*", r"\1", stem)
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip(".-") + ".jsonl.gz"


def tables_of(source, title):
    """A records file's part of the page: its most frequent case at its largest size, then over all sizes."""
    kinds = ["energy"] if source.study.others["energy"] else []
    if source.rows:
        most = collections.Counter(tuple(row[name] for name in CASE) for row in source.rows).most_common(1)[0][0]
        rows = [row for row in source.rows if tuple(row[name] for name in CASE) == most]
        fields = " ".join(f"{name}={value}" for name, value in zip(CASE, most))
        sizes = {row["n"] for row in rows}
        kinds.append(f"problem n={max(sizes)} {fields}")
        if len(sizes) > 1 and len({(row["backend"], row["rung"], row["n"]) for row in rows}) == len(rows):
            kinds.append(f"sizes value=gbs {fields}")
    marks = (f"<!-- table: {kind} records={source.path} {rest}".rstrip() + " -->\n<!-- end -->\n"
             for kind, _, rest in (kind.partition(" ") for kind in kinds))
    return "\n".join([f"## {title}\n", *marks])


def take(files, folder, root, device):
    """Writes the folder with its page, whose tables tools/docs.py makes; completely or not at all."""
    try:
        folder.mkdir()
        try:
            for file in files:
                pack.write(folder / file_name(file.path), file.lines)
            page, sources = folder / "README.md", Sources(root)
            page.write_text("\n".join([
                f"# {named.device(device)}\n",
                "Every table is made of the records beside this page (`tools/docs.py`). What the columns mean is in "
                "[the method](../../method.md).\n",
                *(tables_of(sources[file.relative_to(root).as_posix()], file.name.removesuffix(".jsonl.gz"))
                  for file in sorted(folder.glob("*.jsonl.gz")))]), encoding="utf-8")
            page.write_text(docs.Page(page, sources, None).made(), encoding="utf-8")
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
    name = arguments.name
    if name is None:
        name = re.sub(r"[^a-z0-9.]+", "-", named.device(device).lower()).strip(".-") or "machine"
    if not NAME.fullmatch(name):
        raise Failure(f"--name={name} cannot be a folder here: small letters, digits, '.', '_' and '-', say --name=mi300x.")
    if len({file_name(path) for path in arguments.records}) < len(files):
        raise Failure(f"two files would have one name in docs/results/{name}: give them other names.")
    folder = root / "docs" / "results" / name
    if folder.exists():
        raise Failure(f"docs/results/{name} is there already, and stays as it is: --name={name}-2, say, is a folder of its own.")
    take(files, folder, root, device)
    print(f"""\
Taken into docs/results/{name}. Next, in the repository's folder:
  git switch -c records-{name}
  {sys.executable} tools/docs.py     # its line in docs/results/README.md
  git add docs/results/{name} docs/results/README.md
  git commit -m "Records of a machine: {named.device(device)}"
  git push -u origin records-{name}
Then open a pull request. Write there what the records do not know: whether it is a virtual machine, what else ran on it, which
clocks or power limits were set. Records tell the command line, the system's release, and the devices with their ids: have a look
before they are public.""")
    return 0


if __name__ == "__main__":
    shared.ended(main)
