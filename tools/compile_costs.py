#!/usr/bin/env python3
"""What each rung costs to compile, and how much machine code it becomes.

    tools/compile_costs.py BUILD [MODEL...] > docs/data/compile_costs.csv

BUILD: a folder configured without LADDER_UNITY for one GPU architecture, whose compile_commands.json names how each rung is
compiled. MODEL: cuda, hip, kokkos; all of them, where none is named. Each rung is compiled alone, as many at a time as there are
processors. Its time is in seconds of the processor, its code that of all kernels for the GPU, in KiB. Needs readelf. A line for
each rung, with nvcc's version and the day. Exit status: 0 done; 2 a compilation failed.
"""

import collections
import concurrent.futures
import csv
import datetime
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from shared import Failure, ended, printed

Cost = collections.namedtuple("Cost", "seconds kernels size")


def compile_commands(build):
    """{(rung, model): (folder, words of the command without the output)}; the first of several of one file."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        file, words = pathlib.Path(entry["file"]), shlex.split(entry["command"])
        if file.parent.name == "rungs" and file.parts[-3] != "cpu" and "-c" in words:
            found.setdefault((file.stem.partition("_")[0], file.parts[-3]), (entry["directory"], words[:words.index("-o")]))
    return found


def compiled(folder, words, output):
    """Seconds of the processor that a compilation takes, with those of the programs that it runs."""
    with tempfile.TemporaryFile() as told, subprocess.Popen([*words, "-o", output], cwd=folder, stdout=told, stderr=told) as run:
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        if run.returncode:
            told.seek(0)
            raise Failure(f"{shlex.join(words)} failed:\n{told.read().decode()}")
    return usage.ru_utime + usage.ru_stime


def cost_of(folder, words):
    """The time of an object file; the kernels and the bytes of their code, of a second compilation for the GPU alone."""
    architecture = re.search(r"compute_(\w+)", " ".join(words))[1]
    plain = [word for word in words if word != "-c" and not word.startswith("--generate-code")]
    with tempfile.TemporaryDirectory() as place:
        output = os.path.join(place, "out")
        seconds = compiled(folder, words, output)
        compiled(folder, [*plain, f"-arch=sm_{architecture}", "-cubin"], output)
        sections = printed(["readelf", "-SW", output], "readelf failed")
    sizes = [int(size, 16) for size in re.findall(r"\.text\.\S+ +PROGBITS +\w+ +\w+ +(\w+)", sections)]
    return Cost(seconds, len(sizes), sum(sizes))


def shown(cost):
    """The cells of a rung that a model has, or has not."""
    return (f"{cost.seconds:.1f}", cost.kernels, f"{cost.size / 1024:.0f}") if cost else ("", "", "")


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return
    commands = {key: command for key, command in compile_commands(pathlib.Path(sys.argv[1])).items()
                if key[1] in sys.argv[2:] or len(sys.argv) == 2}
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        costs = dict(zip(commands, pool.map(lambda one: cost_of(*one), commands.values()), strict=True))
    told = printed([next(iter(commands.values()))[1][0], "--version"], "the compiler does not tell its version")
    models, by = sorted({model for _, model in costs}), [re.search(r"V([\d.]+)", told)[1], datetime.date.today()]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["rung", *(f"{model} {unit}" for unit in ("s", "kernels", "KiB") for model in models), "nvcc", "date"])
    for rung in sorted({rung for rung, _ in costs}):
        of = [shown(costs.get((rung, model))) for model in models]
        writer.writerow([rung, *(cell for unit in zip(*of, strict=True) for cell in unit), *by])


if __name__ == "__main__":
    ended(main)
