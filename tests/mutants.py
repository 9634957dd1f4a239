#!/usr/bin/env python3
"""Draws mutants of some sources with universalmutator (PyPI) and reports those that no test notices. Run by hand.

    tests/mutants.py bench/results/statistics.cpp --target=bench_tests \\
        --tests='build/cpu/tests/bench/bench_tests --gtest_fail_fast --gtest_filter=Statistics*:Estimates*'
    tests/mutants.py bench/report/intervals.py --tests='python3 -m unittest discover tests/bench/report -p intervals_test.py'
    tests/mutants.py cuda/rungs/r05_*.cu --preset=nvidia --target=contract_tests \\
        --tests='build/nvidia/tests/contract_tests --gtest_fail_fast --gtest_filter=Contract/cuda.r05_*'

Each mutant is applied to a worktree of HEAD in build/mutants, built there, and tested there. A mutant that does not compile is
replaced by the next one. Exit status: 0 all caught, 1 some survived, 2 the unchanged sources fail or the arguments are wrong.
"""

import argparse
import contextlib
import difflib
import os
import pathlib
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
TREE = ROOT / "build" / "mutants"
SECONDS = 120  # longest run of the tests; a mutant that never ends counts as caught


def succeeds(words, seconds=None):
    """Runs a command in the worktree; false where it fails or takes longer. Everything that it started ends with it."""
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(words, cwd=TREE, stdout=nowhere, stderr=nowhere, start_new_session=True) as started:
        try:
            return started.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)


def mutants_of(source, folder):
    """The files that universalmutator writes for a source of the worktree."""
    language = "python" if source.suffix == ".py" else "cpp"  # CUDA and HIP are C++ to its rules
    subprocess.run(["mutate", str(TREE / source), language, "--noCheck", "--mutantDir", str(folder)], check=True,
                   stdout=subprocess.DEVNULL)
    return sorted(folder.glob(f"{source.stem}.mutant.*"))


def difference(source, mutant):
    old, new = (TREE / source).read_text().splitlines(), mutant.read_text().splitlines()
    return "\n".join(list(difflib.unified_diff(old, new, str(source), "mutant", n=0, lineterm=""))[2:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=pathlib.Path, help="relative to the project's root")
    parser.add_argument("--tests", required=True, help="command that fails where a test fails, run in the worktree")
    parser.add_argument("--target", help="what is built before each run of the tests; nothing where it is not named")
    parser.add_argument("--preset", default="cpu", help="of the build (cpu)")
    parser.add_argument("--count", type=int, default=20, help="mutants that compile (20)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if not shutil.which("mutate"):
        parser.error("universalmutator is not installed: python3 -m pip install universalmutator")
    if not TREE.exists():
        subprocess.run(["git", "worktree", "add", "--force", "--detach", TREE], cwd=ROOT, check=True)
    subprocess.run(["git", "checkout", "--force", "--detach", subprocess.check_output(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, text=True).strip()], cwd=TREE, check=True, stderr=subprocess.DEVNULL)
    if given.target:
        # Each mutant is compiled once and run for a moment: without optimization that takes least.
        flags = ["-DLADDER_WERROR=OFF", "-DCMAKE_CXX_FLAGS_RELEASE=-O0"]
        subprocess.run(["cmake", "--preset", given.preset, *flags], cwd=TREE, check=True, stdout=subprocess.DEVNULL)

    def compiles():
        return not given.target or succeeds(["ninja", "-C", f"build/{given.preset}", given.target])

    def passes():
        return succeeds(shlex.split(given.tests), SECONDS)

    if not (compiles() and passes()):
        print(f"mutants.py: the unchanged sources fail: {given.tests}", file=sys.stderr)
        return 2
    caught, survivors = 0, []
    with tempfile.TemporaryDirectory() as folder:
        drawn = []
        for number, source in enumerate(given.sources):
            own = pathlib.Path(folder) / str(number)
            own.mkdir()
            drawn += [(source, mutant) for mutant in mutants_of(source, own)]
        random.Random(given.seed).shuffle(drawn)
        for source, mutant in drawn:
            if caught + len(survivors) == given.count:
                break
            file, original = TREE / source, (TREE / source).read_bytes()
            what = difference(source, mutant)
            file.write_bytes(mutant.read_bytes())
            try:
                if not compiles():
                    continue
                if not passes():
                    caught += 1
                    continue
            finally:
                file.write_bytes(original)
            survivors.append(what)
            print(f"survived: {source}\n{what}", flush=True)
    print(f"{caught} of {caught + len(survivors)} caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
