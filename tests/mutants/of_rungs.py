#!/usr/bin/env python3
"""Does a rung's contract fail where the rung is changed? Mutants of the rungs of CUDA, HIP and Kokkos, by the operators of
mutants.py: each is compiled by the commands of a build that is there, and linked into a program of contract tests of its own, so
that a machine with a GPU runs nothing but these.

of_rungs.py list [--count=40] [--seed=1]                    what there is: as many of each model that the build has
of_rungs.py build [--build=DIR] [--link=DIR] [--to=DIR]     compiles them (DIR: build/nvidia, the same, build/mutants_of_rungs)
of_rungs.py run [--to=DIR] [--seconds=30]                   runs each with its rung's tests alone

The build must not be one of LADDER_UNITY, whose commands compile several rungs at a time; one of few types is quicker
(LADDER_CUDA_TYPES and so on). It need only be configured where --link= names another one of the same commit, of LADDER_UNITY or
not: with BUILD_SHARED_LIBS what a program defines itself goes before what its libraries do. Exit status 1 where a mutant survives
or an unchanged rung fails. equivalent.toml names those that change nothing, with the reason. One that does not compile is none:
another takes its place."""

import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import time

import mutants
from mutants import ROOT

PROGRAM = "tests/contract_tests"
# Past 2^31 elements a rung takes seconds, and what a mutant changes is seen at fewer.
SLOW = "*past_2_to_the_3*"
# Each model: its rungs' sources, and its backends in the names of tests.
MODELS = {"cuda": ("cuda/rungs/*.cu", "cuda"), "hip": ("hip/rungs/*.hip", "hip"), "kokkos": ("kokkos/rungs/*.cpp", "kokkos/*")}


def commands(build):
    """{source: (folder, words of its compiler)} of a build: as its model's library has it, which comes before the tests."""
    known = {}
    for one in json.loads((build / "compile_commands.json").read_text()):
        known.setdefault(pathlib.Path(one["file"]).resolve(), (one["directory"], shlex.split(one["command"])))
    return known


def drawn(count, seed, has):
    """So many mutants, of each model that `has` its sources alike, and of each operator alike as far as there are."""
    dice, unlike, per_model = random.Random(seed), mutants.equivalent(), []
    for pattern, backends in MODELS.values():
        sources = ((path, f"Contract/{backends}.{path.name.split('.')[0]}_*-{SLOW}") for path in sorted(ROOT.glob(pattern))
                   if path.resolve() in has)
        per_model.append([one for one in mutants.placed(sources, dice) if one.name not in unlike])
    return mutants.in_turns(per_model)[:count]


def made(number, mutant, given, known):
    """The program with the mutant in it, or what the compiler said."""
    folder = given.to / f"{number:03}"
    folder.mkdir(parents=True, exist_ok=True)
    source = ROOT / mutant.file
    changed, out, program = folder / source.name, folder / "rung.o", folder / "contract_tests"
    changed.write_text(mutant.applied(source.read_text()))
    directory, words = known[source.resolve()]
    words = [str(changed) if pathlib.Path(directory, word).resolve() == source.resolve() else word for word in words]
    words[words.index("-o") + 1] = str(out)
    done = subprocess.run(words, cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return "does not compile"
    # It defines all that the library's object does, which the linker then leaves where it is.
    link = subprocess.run(["ninja", "-C", given.link, "-t", "commands", PROGRAM], capture_output=True, text=True, check=True)
    line = link.stdout.splitlines()[-1].replace(f" -o {PROGRAM} ", f" -o {shlex.quote(str(program))} {shlex.quote(str(out))} ")
    done = subprocess.run(line, shell=True, cwd=given.link, capture_output=True, text=True, check=False)
    out.unlink()
    if done.returncode != 0 or not program.exists():
        sys.exit(f"of_rungs: {mutant.name} cannot be linked:\n{done.stderr[-2000:]}")
    return ""


def build_all(given, chosen, known):
    given.to.mkdir(parents=True, exist_ok=True)
    start, left, kept, refused = time.monotonic(), enumerate(chosen), [], 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        while some := list(itertools.islice(left, given.count - len(kept))):
            verdicts = pool.map(lambda each: made(each[0], each[1], given, known), some)
            for (number, one), verdict in zip(some, verdicts, strict=True):
                refused += bool(verdict)
                if not verdict:
                    kept.append({"number": number, "name": one.name, "tests": one.tests})
    (given.to / "mutants.json").write_text(json.dumps({"unchanged": str(given.link / PROGRAM), "mutants": kept}, indent=1))
    print(f"{len(kept)} of {given.count} compiled in {time.monotonic() - start:.0f} s, {refused} others did not compile")
    return 0


def run_all(given):
    known, start, counts = json.loads((given.to / "mutants.json").read_text()), time.monotonic(), {}
    for tests in dict.fromkeys(one["tests"] for one in known["mutants"]):
        if not mutants.passes(known["unchanged"], [tests], 10 * given.seconds):
            print(f"fails unchanged  {tests}")
            counts["fails unchanged"] = counts.get("fails unchanged", 0) + 1
    for one in known["mutants"]:
        program = given.to / f"{one['number']:03}" / "contract_tests"
        verdict = "survived" if mutants.passes(program, [one["tests"]], given.seconds) else "caught"
        counts[verdict] = counts.get(verdict, 0) + 1
        print(f"{verdict:17}{one['name']}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())), f"of {len(known['mutants'])} in "
          f"{time.monotonic() - start:.0f} s")
    return 1 if counts.get("survived") or counts.get("fails unchanged") else 0


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["list", "build", "run"])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "nvidia")
    parser.add_argument("--link", type=pathlib.Path, help="whose program it is linked into (default: that of --build)")
    parser.add_argument("--to", type=pathlib.Path, default=ROOT / "build" / "mutants_of_rungs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=30, help="for the tests of a mutant")
    given = parser.parse_args(arguments)
    given.build, given.to = given.build.resolve(), given.to.resolve()
    given.link = given.link.resolve() if given.link else given.build
    if given.command == "run":
        return run_all(given)
    if not (given.build / "compile_commands.json").is_file():
        sys.exit(f"of_rungs: {given.build} is no build with compile_commands.json: name one with --build=")
    known = commands(given.build)
    chosen = [one for one in drawn(mutants.SPARE * given.count, given.seed, known) if re.search(given.only, one.name)]
    if not chosen:
        sys.exit(f"of_rungs: {given.build} compiles no rung by itself (one of LADDER_UNITY does not)")
    if given.command == "build":
        return build_all(given, chosen, known)
    for one in chosen[:given.count]:
        print(f"{one.name}  [{one.tests}]")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
