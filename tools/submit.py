#!/usr/bin/env python3
"""Takes the records of a machine into docs/results, where they can be committed.

    ./study submit [--name=NAME] FILE...

Each FILE is what `./study run --processes=5 --records=FILE` wrote. Packed (pack.py) they go to the new folder docs/results/NAME,
with a page of their tables; nothing else is written. Without --name the folder is called after the GPU, else the processor.

Refused, with what to do: what the report cannot read; records of another schema, of two machines, of fewer than five processes,
or with a wrong or failed result; a build that is no Release, or whose commit is not in the history here; what at a memory size is
faster than its ceiling or the peak by more than processes differ (acceptance.py). Exit status: 0 taken; 2 refused, and nothing
was written.
"""

import argparse
import collections
import pathlib
import re
import shutil
import statistics
import sys

import acceptance
import docs
import pack
import shared
from report.pages.source import Sources
from report.text import listed, percent
from shared import Failure

# What vendors write into a name that does not tell one machine from another.
SAID_OF_ALL = re.compile(r"\((r|tm|c)\)|@.*|\bwith .*|\b(nvidia|amd|intel|instinct|geforce|radeon|tesla|processor|cpu|graphics|"
                         r"\w+-core)\b", re.I)
NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")
RESERVED = ["figures"]
OVERVIEW = "docs/results/README.md"


def check_clone(root):
    """Raises a Failure where there is none whose commits git tells."""
    if not (root / ".git").exists():
        raise Failure(f"{root} is no clone of the repository, and from nothing else a change can be sent: submit from a clone.")
    if not shutil.which("git"):
        raise Failure("git is not installed, and a change is sent with it: install git, then submit again.")
    shared.printed(["git", "-C", root, "rev-parse", "--verify", "HEAD"], f"git does not tell the commits of {root}")


def devices_of(files):
    """{memory space: the device there}, which has to be of one kind in all files."""
    found = {}
    for file in files:
        for device in (device for run in file.runs for device in run.get("devices") or ()):
            known, path = found.setdefault(device["space"], (device, file.path))
            if (known["name"], known.get("units")) != (device["name"], device.get("units")):
                names = docs.shown_device(known), docs.shown_device(device)
                raise Failure(f"{path} is of {names[0]}, and {file.path} of {names[1]}: submit each on its own.")
    return {space: device for space, (device, _) in found.items()}


def speaking(devices):
    """The device that a machine is called after: the GPU, where there is one."""
    return min(devices.values(), key=lambda device: (device["kind"] == "cpu", device["space"]))


def folder_name(device):
    """"h200", "epyc-7763-64"."""
    words = re.findall(r"[a-z0-9.]+", SAID_OF_ALL.sub(" ", device["name"]).lower())
    cores = [str(device["units"])] if device["kind"] == "cpu" and device.get("units") else []
    return "-".join([*(words or ["machine"]), *cores]).strip(".")


def file_name(path):
    """What a file is called in the folder. Of a name that ./study run made it is the date: the rest is the computer's name."""
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
    asked = collections.Counter(tuple(row[name] for name in about) for row in source.rows)
    most = asked.most_common(1)[0][0]
    rows = [row for row in source.rows if tuple(row[name] for name in about) == most]
    fields = " ".join(f"{name}={value}" for name, value in zip(about, most))
    largest = max(row["n"] for row in rows)
    lines += [f"<!-- table: problem records={source.path} n={largest} {fields} -->", "<!-- end -->\n"]
    once = len({(row["backend"], row["rung"], row["n"]) for row in rows}) == len(rows)
    if once and min(row["n"] for row in rows) < largest:
        lines += [f"<!-- table: sizes records={source.path} value=gbs {fields} -->", "<!-- end -->\n"]
    return lines


def page_of(folder, root, device):
    """Writes the page of a folder, with its tables as tools/docs.py makes them. Returns what each file is cited by."""
    path, sources, lines = folder / "README.md", Sources(root), []
    for file in sorted(folder.glob("*.jsonl.gz")):
        lines += tables_of(sources[file.relative_to(root).as_posix()], file.name.removesuffix(".jsonl.gz"))
    path.write_text("\n".join([
        f"# {docs.shown_device(device)}\n",
        "Every table is made of the records beside this page (`tools/docs.py`). What the columns mean is in "
        "[the method](../../method.md).\n", *lines]), encoding="utf-8")
    path.write_text(docs.Page(path, sources, None).made(), encoding="utf-8")
    return [source.source() for source in sources.values()]


def take(files, folder, root, device):
    """Writes the folder, whole or not at all."""
    try:
        folder.mkdir()
    except OSError as error:
        raise Failure(f"{folder}: cannot be made: {error.strerror}.") from None
    try:
        for file in files:
            pack.write(folder / file_name(file.path), file.lines)
        return page_of(folder, root, device)
    except BaseException as error:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        if isinstance(error, OSError):
            raise Failure(f"{folder}: cannot be written: {error.strerror}.") from None
        raise


def summary(files):
    """What was taken, in a few words."""
    rows = [row for file in files for row in file.study.rows]
    rounds = sum(len(file.study.others["energy"]) for file in files)
    energy = f"{rounds} rounds of energy, all right." if rounds else ""
    if not rows:
        return energy
    large = sum(len(list(acceptance.at_memory_size(file))) for file in files)
    half = percent(statistics.median(row["uncertainty"] for row in rows), 0.1)
    beyond = (f"{large} are of sizes beyond the caches, none above its ceiling by more than processes differ." if large else
              "None is of a size beyond the caches, so they say nothing of the memory: without --sizes ./study run measures it.")
    return (f"{len(rows)} measurements, each of at least {acceptance.PROCESSES} processes, all right; half of the times are "
            f"known to ± {half} % or better. {beyond} {energy}").rstrip()


def next_steps(name, device, cited):
    """What is left to do, to the letter."""
    python = pathlib.Path(sys.executable)
    python = python.relative_to(shared.ROOT) if python.is_relative_to(shared.ROOT) else python
    said = "\n".join(f"  - {line}" for line in cited)
    return f"""
Next, in the repository's folder:
  git switch -c records-{name}
  {python} tools/docs.py     # its line in {OVERVIEW}
  git add docs/results/{name} {OVERVIEW}
  git commit -m "Records of a machine: {docs.shown_device(device)}"
  git push -u origin records-{name}

Then open a pull request. Write there what the records do not know (whether it is a virtual machine, what else ran on it, which
clocks or power limits were set), and what they are:
{said}

CI makes docs/results/{name}/README.md and {OVERVIEW} anew from the records, and fails where they differ. Records tell the
command line, the system's release, and the devices with their ids: have a look before they are public."""


def main(words=None, root=shared.ROOT):
    parser = argparse.ArgumentParser(prog="./study submit", description="Takes the records of a machine into docs/results.")
    parser.add_argument("records", nargs="+", metavar="FILE", type=pathlib.Path, help="what ./study run --records=FILE wrote")
    parser.add_argument("--name", help="the folder's name below docs/results (default: after the GPU, else the processor)")
    arguments = parser.parse_args(words)
    check_clone(root)
    files = [acceptance.File(path) for path in arguments.records]
    if refused := [f"  {text}" for file in files for text in acceptance.complaints(file, root)]:
        raise Failure("\n".join(["not taken, and nothing was written:", *refused]))
    device = speaking(devices_of(files))
    name = folder_name(device) if arguments.name is None else arguments.name
    if not NAME.fullmatch(name) or name in RESERVED:
        raise Failure(f"--name={name} cannot be a folder here: small letters, digits, '.', '_' and '-', say --name=mi300x.")
    names = collections.Counter(file_name(file.path) for file in files)
    if (most := names.most_common(1)[0])[1] > 1:
        raise Failure(f"{most[1]} files would be {most[0]} in docs/results/{name}: give them other names.")
    folder = root / "docs" / "results" / name
    if folder.exists():
        raise Failure(f"docs/results/{name} is there already, and stays as it is: --name={name}-2, say, is a folder of its own.")
    cited = take(files, folder, root, device)
    print(f"Taken into docs/results/{name}: {listed(['README.md', *names])}. {summary(files)}")
    print(next_steps(name, device, cited))
    return 0


if __name__ == "__main__":
    shared.ended(main)
