#!/usr/bin/env python3
"""measure_set.py [--ladder=PROGRAM] [--to=FOLDER] [--processes=N] [--dry-run] [PART...]

Measures the records of a machine that are committed, part by part. Each part is one file in FOLDER (default records/) with
all processes (default 5) of its measurements, and takes at most 9 minutes on an H200. A finished part is skipped, a stopped one
continues. --dry-run prints the commands, and runs nothing but `PROGRAM --list`. Without parts: the set GPU, or without a GPU the
set CPU. Then tools/pack.py makes the committed form. The parts are in measure_set.csv; the name of a set stands for its parts:
"""

import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

GPU = {"cuda", "hip", "kokkos/cuda", "kokkos/hip"}
# CUB's reproducible mode of CCCL 3.5 is wrong at 2^30 floats; 2^29 is untested. One wrong sample ends a part.
WRONG = "library_cub_reproducible/.*/n:(536870912|1073741824)/"
# Kokkos's own reductions take seconds for a few long rows, or one long segment.
SLOW = "library_(nested|team)_rows/.*/(rows:(65536|262144|4194304|268435456)|segments:half:64)/"

# The runs of all parts, in order: backends and rungs that are measured if the program has them, and options, preceded by
# environment variables. Their placeholders: {wrong} and {slow} as above, {large} a size that no cache holds, {threads} the
# thread counts; a run with {thread} is repeated with each of them.
with open(pathlib.Path(__file__).with_name("measure_set.csv"), encoding="utf-8") as table:
    RUNS = list(csv.DictReader(table))
SETS = {name: list(dict.fromkeys(run["part"] for run in RUNS if run["set"] == name)) for name in ("GPU", "CPU", "core")}


class Machine:
    """The program's rungs, and its backends that can be measured here."""

    def __init__(self, ladder, dry_run):
        rungs = json.loads(subprocess.check_output([ladder, "--list", "--format=json"]))["rungs"]
        self.ids, self.backends = sorted({rung["id"] for rung in rungs}), {rung["backend"] for rung in rungs}
        if not dry_run:
            tests = subprocess.run([ladder, "--benchmark_list_tests", "--sizes=2^10"], stdout=subprocess.PIPE, text=True).stdout
            self.backends = set(re.findall(r"^reduce/(.*)/[rc]\d\d_", tests, re.M))

    def only(self, names):
        """The available ones of these rungs, separated by commas. `r00..` extends to the last rung of its ladder, `a_*` stands
        for all that begin so."""
        def found(name):
            if name.endswith("*"):
                return [one for one in self.ids if one.startswith(name[:-1])]
            if name != "lib" and name.rstrip(".") not in self.ids:
                return []
            return [name + max(one for one in self.ids if re.fullmatch(rf"{name[0]}\d\d", one)) if name.endswith("..") else name]

        return ",".join(one for name in names.split() for one in found(name))


def large_size():
    """Smallest power of two in GiB that holds four last-level caches: large enough to measure memory."""
    cache, gib = subprocess.run(["getconf", "LEVEL3_CACHE_SIZE"], capture_output=True, text=True).stdout.strip(), 1
    while 4 * int(cache or 0) > gib << 30:
        gib *= 2
    return f"{gib}GiB"


def runs_of(machine):
    """{part: {name of a run, empty for a single one: its options}}, without runs that have no backend here."""
    most, found = len(os.sched_getaffinity(0)), {run["part"]: {} for run in RUNS}
    counts = [*(1 << i for i in range(most.bit_length()) if 1 << i < most), most]
    for run in RUNS:
        backends = ",".join(name for name in run["backends"].split() if name in machine.backends)
        rungs = f"--rungs={machine.only(run['rungs'])}" if run["rungs"] else ""
        for thread in (counts if "{thread}" in run["options"] else counts[:1]) if backends else ():
            options = run["options"].format(wrong=WRONG, slow=SLOW, large=large_size(), threads=",".join(map(str, counts)),
                                            thread=thread)
            found[run["part"]][run["run"].format(thread=thread)] = f"{options} --backends={backends} {rungs}"
    return found


def status_of(words, log):
    """Exit status of a command, which is terminated with this program."""
    def stops(how):
        signal.pthread_sigmask(how, {signal.SIGINT, signal.SIGTERM})

    with open(log, "w") as out:
        stops(signal.SIG_BLOCK)  # until there is a process to terminate
        process = subprocess.Popen(["env", *words], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                   preexec_fn=lambda: stops(signal.SIG_UNBLOCK))
        try:
            stops(signal.SIG_UNBLOCK)
            return process.wait()
        finally:
            process.terminate()
            process.wait()


def run(name, options, file, asked):
    """Measures the file unless it exists."""
    if file.exists():
        return
    energy, unfinished, log = name == "energy", file.with_suffix(".part"), file.with_suffix(".txt")
    words = options.split()
    first = next(i for i, word in enumerate(words) if word.startswith("--"))  # after the variables
    more = [] if energy else [f"--processes={asked.processes}", "--resume"]
    command = [*words[:first], asked.ladder, *words[first:], *more, f"--records={unfinished}"]
    print(f"== {name}:", *command, flush=True)
    if asked.dry_run:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    if energy:
        unfinished.unlink(missing_ok=True)  # rounds of one process cannot be resumed
    status = status_of(command, log)
    if status:
        print(log.read_text(), end="", flush=True)
    if energy and status == 2:  # no energy counter here
        return
    if status not in (0, 1):  # 1: errors are in the records
        sys.exit(status if status > 0 else 128 - status)
    unfinished.rename(file)


def main():
    listed = (f"  {run['set']:8} {run['part']:15} {run['what']}" for run in RUNS if run["what"])
    parser = argparse.ArgumentParser(description="\n".join([__doc__, *listed]), usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ladder", default=pathlib.Path(__file__).with_name("ladder"))
    parser.add_argument("--to", default="records", type=pathlib.Path)
    parser.add_argument("--processes", default=5, type=int)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("parts", nargs="*", metavar="PART")
    asked = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda stopped_by, _: sys.exit(128 + stopped_by))
    try:
        machine = Machine(asked.ladder, asked.dry_run)
    except (OSError, ValueError, subprocess.CalledProcessError):
        parser.exit(2, "measure_set: name the measuring program with --ladder=PROGRAM\n")
    runs = runs_of(machine)
    parts = [one for part in asked.parts or ["GPU" if machine.backends & GPU else "CPU"] for one in SETS.get(part, [part])]
    if unknown := [part for part in parts if part not in runs]:
        parser.exit(2, f"measure_set: unknown: {', '.join(unknown)} (--help lists the parts)\n")
    for part in parts:
        file, folder = asked.to / f"{part}.jsonl", asked.to / part
        if file.exists():
            print(f"== {part}: is there ({file})")
        elif "" in runs[part]:
            run(part, runs[part][""], file, asked)
        elif runs[part]:
            for name, options in runs[part].items():
                run(f"{part}/{name}", options, folder / f"{name}.jsonl", asked)
            if not asked.dry_run:
                unfinished = file.with_suffix(".part")
                unfinished.write_bytes(b"".join(one.read_bytes() for one in sorted(folder.glob("*.jsonl"))))
                unfinished.rename(file)
                shutil.rmtree(folder)


if __name__ == "__main__":
    main()
