"""Which records are taken into docs/results, and why others are not: for submit.py."""

import collections
import re
import shlex
import subprocess
import sys

import pack

try:
    from report import checks, intervals, records
    from report.text import listed, number, problem_text
except ImportError as error:
    sys.exit(f"{error.name} is not installed (./study setup installs it)")

PROCESSES = 5
OVER = 1.01  # of the ceiling: from there on the program calls its sweep too weak (bench/results/derived.cpp)
SHOWN = 5  # complaints of one kind


class Reader(pack.Reader):
    """The report's reader, but of today's schema alone: what is measured now has no reason to be of an older one."""

    def begin(self, file, number, record):
        schema, wanted = record.get("schema"), checks.SCHEMAS[-1]
        if schema == wanted:
            return super().begin(file, number, record)
        self.newer.add(record["run"])
        return self.tell(file, number, f"a run of schema {schema}, and {wanted} is needed: measure again with this version, "
                                       "which ./study run builds")


class File:
    """One records file that is to be taken."""

    def __init__(self, path):
        self.path, reader = path, Reader()
        reader.read(path)
        self.lines, left_out = pack.lines_of(reader)
        self.study = reader.study()
        self.runs, self.told = list(reader.runs.values()), [*map(str, self.study.problems)] or left_out

    def machines(self):
        """{memory space: {a device there: its name}}; a device is another where its name, its units, its id or its host is."""
        found = collections.defaultdict(dict)
        for run in self.runs:
            for device in run.get("devices") or ():
                whose = records.machine_of(run, {**dict.fromkeys(records.DEVICE_OPEN), **device})
                found[device["space"]][device["name"], device.get("units"), whose] = device["name"]
        return found


def known_commit(commit, root):
    """Whether it is in the history of what is checked out at `root`: what was amended away git knows too, and nobody else."""
    return subprocess.run(["git", "-C", root, "merge-base", "--is-ancestor", commit, "HEAD"], capture_output=True).returncode == 0


def of_build(run, root):
    """What is wrong with the sources that a run was built from, or nothing."""
    commit = run.get("commit") or "unknown"
    if commit == "unknown":
        return "nobody knows what sources it was built from. Build in a clone of the repository, then measure again"
    if commit.endswith("-dirty"):
        return (f"it was built from files that differ from commit {commit.removesuffix('-dirty')}. Commit the changes, or take "
                "them back (git stash), then measure again: ./study run builds anew")
    if not known_commit(commit, root):
        return (f"it was built from commit {commit}, which is not in the history of what is checked out here, so that nobody "
                "could build it again. Switch to a branch that has it, or measure again with what is here")
    for group, facts in (run.get("build") or {}).items():
        if facts.get("optimized") == "no":
            return f"what was compiled as {group} was not optimized ({facts.get('flags')}). Measure with what ./study run builds"
    if run.get("build_type", "Release") != "Release":
        return f"it is of a {run['build_type']} build, whose times mean nothing. Measure with one that ./study run builds"
    return ""


def again(run):
    """The command that measures a run once more, as it is wanted."""
    words, kept = iter(run["command"][1:]), []
    for word in words:
        if word in ("--records", "--processes"):
            next(words, None)
        elif not re.match(r"--(records=|processes=|resume$|no-ceilings$)", word):
            kept.append(word)
    return shlex.join(["./study", "run", *kept, f"--processes={PROCESSES}", "--records=again.jsonl"])


def of_runs(file, root):
    for run in file.study.runs.values():
        if wrong := of_build(run, root):
            yield f"run {run['run']}: {wrong}."
        timed = any(row["run"] == run["run"] for row in file.study.rows)  # energy has rounds instead
        if timed and run["processes"] < PROCESSES:
            count = f"{run['processes']} process" + "es" * (run["processes"] > 1)
            yield (f"run {run['run']} has {count}, and {PROCESSES} are needed: how far the next one would be off is not known. "
                   f"Measure again: {again(run)}")
    for space, found in file.machines().items():
        if len(found) > 1:
            yield (f"its records on {space} are of {len(found)} machines ({listed(found.values())}), and a file holds those of "
                   "one. Measure each into a file of its own (--records=FILE), and submit each on its own.")


def named(row):
    """A measurement in words."""
    return f"{row['name']} on {row['backend']} ({problem_text(row)})"


def told(found, what_to_do):
    """The first of these, how many more there are, and what to do."""
    if found:
        yield from found[:SHOWN]
        more = f"... and {len(found) - SHOWN} more like these. " if len(found) > SHOWN else ""
        yield more + what_to_do


def of_results(file):
    """Of what is not right, and of what too few processes measured."""
    bad = [f"{named(row)} is {row['status']}" + (f": {row['error']}" if row["error"] else "")
           for row in file.study.rows if row["status"] != "right"]
    yield from told(bad, "What is not right is no result. Open an issue with these records; the others can be taken when they "
                         "are measured again without it (--rungs=).")
    few = [f"{named(row)} was measured by {row['processes']} of the processes" for row in file.study.rows
           if row["status"] == "right" and row["processes"] < PROCESSES <= file.study.runs[row["run"]]["processes"]]
    yield from told(few, f"{PROCESSES} are needed: measure it again, or all else without it (--rungs=).")


def of_energy(file):
    """Of rounds that are not right."""
    rounds = file.study.others["energy"]
    yield from told([f"round {one['round']} of the energy of {one['name']} on {one['backend']} failed: {one.get('error')}"
                     for one in rounds if not one["ok"]],
                    "What is not right is no result. Open an issue with these records; measure again without it (--rungs=).")


def at_memory_size(file):
    """(measurement, its device) of those that are right and so large that caches play no part."""
    for row in file.study.rows:
        device = file.study.devices[row["run"], row["backend"]]
        if row["status"] == "right" and row["bytes"] >= max(256 << 20, 4 * (device.get("last_level_cache") or 0)):
            yield row, device


def of_limits(file):
    """Of what lies above its ceiling or the peak, by more than processes differ."""
    without, over, past = [], [], []
    for row, device in at_memory_size(file):
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
    yield from told(over, "The sweep for the ceiling was too weak, or something else ran meanwhile: measure again while the "
                          "machine is idle; if it stays, open an issue with these records.")
    yield from told(past, "The peak is wrong: measure again with --peak-gbs=, the vendor's figure, and say where it is from.")


def complaints(file, root):
    """Why a file cannot be taken into the clone at `root`: nothing where it can."""
    made = f"./study run --processes={PROCESSES} --records=FILE makes what is taken."
    if file.told:
        yield from told(file.told, "Only whole records are taken. Where a run was stopped, ./study run --resume with the same "
                                   "options finishes it." if file.runs else made)
    elif not file.study.rows and not file.study.others["energy"]:
        yield f"{file.path} holds no measurement: {made}"
    else:
        found = [*of_runs(file, root), *of_results(file), *of_energy(file), *of_limits(file)]
        yield from (f"{file.path}: {text}" for text in dict.fromkeys(found))
