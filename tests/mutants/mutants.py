#!/usr/bin/env python3
"""Does a test fail where a benchmark lies? Each mutant is one change of the sources that makes some number wrong. It is applied
in a copy of the tree, what hangs on it is built anew there, and the tests that have to fail are run.

mutants.py list [--generated=COUNT] [--seed=N]      what there is
mutants.py run [--generated=COUNT] [--seed=N] [--only=REGEX] [--folder=DIR] [--limit=SECONDS] [--jobs=N] [--resume]
    DIR (build/mutants) keeps the copies, one for each of N jobs, and their builds from one call to the next; with --resume the
    verdicts of earlier calls (DIR/verdicts.json) too. Exit status 1 where a mutant survives.

by_hand.toml has those that were written by hand. --generated takes so many others instead, placed by a generator with a fixed
seed in the sources of the host's side, by its operators: a relation, a sign, a constant, a statement that is left out, a
condition that is turned round. equivalent.toml names those of them that change nothing, with the reason. One that does not
compile is none: another takes its place, so that COUNT are run. Of bench_tests those run first that take no seconds, and the
others on what survives them."""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import itertools
import json
import os
import pathlib
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NOT_ONE = "does not compile"
TIMEOUT = 120  # seconds that the tests of one mutant may take: one that never ends is caught too

# Tests that take seconds, by their program: on what survives the others.
SLOW = {"bench_tests": "Lost.*:Fault.*:Stopped*"}

# Where the generator places its own, and what has to notice.
SOURCES = {"bench/run": "bench_tests", "bench/tell": "bench_tests", "bench/plan": "bench_tests", "bench/selection": "bench_tests",
           "common": "common_tests"}
# A source whose tests are in another program than those of its folder.
ELSEWHERE = {"common/team.cpp": "device_tests"}


@dataclasses.dataclass
class Mutant:
    name: str
    file: str
    old: str
    new: str
    tests: str  # a program of tests with its filter, or a file of Python's with the name of a test
    at: int = -1  # where `old` is, for one that was generated

    def applied(self, text):
        at = text.find(self.old) if self.at < 0 else self.at
        return text[:at] + self.new + text[at + len(self.old):]


def by_hand():
    with open(HERE / "by_hand.toml", "rb") as file:
        return [Mutant(**one) for one in tomllib.load(file)["mutant"]]


def equivalent():
    """{name: why it changes nothing}"""
    path = HERE / "equivalent.toml"
    return {one["name"]: one["why"] for one in tomllib.loads(path.read_text())["mutant"]} if path.is_file() else {}


SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "/", "/": "*"}


def code_of(text):
    """The text with its comments, strings and directives blanked, each character in its place."""
    pattern = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^#[^\n]*'
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.S | re.M)


def places_in(file):
    """(operator, where, old, new) of all that the operators can change in a source."""
    text = (ROOT / file).read_text()
    code = code_of(text)
    for found in re.finditer(r" (<=|>=|==|!=|<|>) ", code):
        yield "relation", found.start(1), found[1], SWAPPED[found[1]]
    for found in re.finditer(r"(?<=[\w)\]]) ([-+*/]) (?=[\w(])", code):
        yield "sign", found.start(1), found[1], SWAPPED[found[1]]
    for found in re.finditer(r"(?<![\w.'])(\d+)(?![\w.'])", code):
        yield "constant", found.start(1), found[1], str(int(found[1]) + 1)
    statement = r"^ +((?:[\w.:\[\]>-]+\([^;{}\n]*\)|[\w.\[\]>-]+ [-+*/|]?= [^;{}\n]+|(?:\+\+|--)\w+);)$"
    for found in re.finditer(statement, code, re.M):
        yield "statement", found.start(1), text[found.start(1):found.end(1)], ";"
    for found in re.finditer(r"\bif \(([^;(){}\n]*(?:\([^()\n]*\)[^;(){}\n]*)*)\)", code):
        yield "condition", found.start(1), text[found.start(1):found.end(1)], f"!({text[found.start(1):found.end(1)]})"


def in_turns(lists):
    """One of each in turn, as long as there are."""
    return [one[i] for i in range(max(map(len, lists), default=0)) for one in lists if i < len(one)]


def placed(sources, dice):
    """All mutants of sources, given as (path, what has to notice), one of each operator in turn, in an order of the dice."""
    found = {}
    for path, tests in sources:
        file, text = path.relative_to(ROOT).as_posix(), path.read_text()
        for operator, at, old, new in places_in(file):
            line = text.count("\n", 0, at) + 1
            name = f"{operator} {file}:{line} {old!r} -> {new!r}"
            found.setdefault(operator, []).append(Mutant(name, file, old, new, tests, at))
    for kind in sorted(found):
        dice.shuffle(found[kind])
    return in_turns([found[kind] for kind in sorted(found)])


def of_the_host(seed):
    """All that can be placed in the sources of the host's side, in an order of the seed."""
    sources = ((path, ELSEWHERE.get(str(path.relative_to(ROOT)), tests)) for folder, tests in SOURCES.items()
               for path in sorted((ROOT / folder).glob("*.cpp")))
    return placed(sources, random.Random(seed))


def generated(count, seed):
    """So many mutants, the same for the same seed and sources: as many of each operator as there are. More come behind them for
    those that do not compile: the first of 40 are the first 40 of 80."""
    unlike = equivalent()
    return [one for one in of_the_host(seed) if one.name not in unlike][:count]


def run(command, folder, timeout, environment=None):
    """(status, what was said); status -1: it took too long. What it has started ends with it, or a mutant that never ends would
    take a processor from all that comes later."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          env=environment, start_new_session=True) as started:
        try:
            said, _ = started.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            return -1, "it took too long"
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)
    return started.returncode, said


def passes(program, filters, seconds, folder=None):
    """Whether a program of GoogleTest passes; one that never ends does not."""
    words = [str(program), "--gtest_brief=1", "--gtest_fail_fast", *(f"--gtest_filter={one}" for one in filters)]
    status, said = run(words, folder, seconds)
    if status == 0 and "[==========] 0 tests" in said:
        sys.exit(f"mutants: {' '.join(filters)} names no test of {program}")
    return status == 0


class Tree:
    """A copy of what git knows, with a build of its own."""

    def __init__(self, folder, processors=0):
        self.root, self.processors = folder, processors or os.cpu_count()
        self.environment = os.environ | {"CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1",
                                         "CCACHE_DIR": os.environ.get("CCACHE_DIR", str(folder.parent / "ccache"))}
        self.root.mkdir(parents=True, exist_ok=True)
        names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            self.restore(name)
        self.build = self.root / "build" / "host"

    def restore(self, name):
        """As in the tree; untouched where it is the same, or it would be built again."""
        source, copy = ROOT / name, self.root / name
        if source.is_file() and (not copy.is_file() or copy.read_bytes() != source.read_bytes()):
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(source.read_bytes())
            copy.chmod(source.stat().st_mode)

    def run(self, *command, timeout=None):
        return run(command, self.root, timeout, self.environment)

    def builds(self, target):
        """Nothing, or what the compiler said."""
        if not (self.build / "build.ninja").is_file():
            # Each is compiled once and run for a moment: what takes the compiler least is best.
            words = ["cmake", "--preset", "host", "-DLADDER_WERROR=OFF", "-DLADDER_KOKKOS=OFF", "-DCMAKE_CXX_FLAGS_RELEASE=-O0"]
            if shutil.which("ccache"):  # the copies of several jobs are the same but for where they lie
                words += ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache"]
            status, said = self.run(*words)
            if status != 0:
                sys.exit(f"mutants: the copy cannot be configured:\n{said[-2000:]}")
        status, said = self.run("ninja", "-C", str(self.build), "-j", str(self.processors), target)
        return "" if status == 0 else said

    def fails(self, tests):
        """Whether the tests fail; their program is built already."""
        program, *more = tests.split(" ")
        if program.endswith(".py"):
            folder, file = (self.root / program).parent, pathlib.Path(program).name
            status, said = self.run("sh", "-c", f'cd "{folder}" && exec "{sys.executable}" "{file}" "$@"', "sh", *more,
                                    timeout=TIMEOUT)
            if status == 77:
                sys.exit(f"mutants: {program} cannot be run here")
            return status != 0
        found = next(path for path in self.build.rglob(program) if path.is_file())
        if more or program not in SLOW:
            return not passes(found, more, TIMEOUT, self.root)
        return not all(passes(found, [some], TIMEOUT, self.root) for some in (f"-{SLOW[program]}", SLOW[program]))

    def verdict(self, mutant):
        """caught, survived, or does not compile"""
        path = self.root / mutant.file
        path.write_text(mutant.applied((ROOT / mutant.file).read_text()))
        try:
            target = mutant.tests.split(" ")[0]
            if not target.endswith(".py") and self.builds(target):
                return NOT_ONE
            return "caught" if self.fails(mutant.tests) else "survived"
        finally:
            self.restore(mutant.file)


SPARE = 4  # times as many are placed as are wanted, for those that do not compile


def chosen(given):
    """(mutants in their order, how many of them are wanted)"""
    found = generated(SPARE * given.generated, given.seed) if given.generated else by_hand()
    found = [one for one in found if re.search(given.only, f"{one.name} {one.file}")]
    return found, min(given.generated or len(found), len(found))


class Run:
    """Mutants on several copies of the tree at a time, in their order, until as many as are wanted have a verdict."""

    def __init__(self, trees, known, file):
        self.trees, self.known, self.file, self.start = queue.Queue(), known, file, time.monotonic()
        for tree in trees:
            self.trees.put(tree)

    def verdict(self, mutant):
        if mutant.name in self.known:
            return self.known[mutant.name]
        tree = self.trees.get()
        try:
            return tree.verdict(mutant)
        finally:
            self.trees.put(tree)

    def all(self, found, wanted, limit):
        """{verdict: how many}"""
        counts, jobs, left = {}, self.trees.qsize(), iter(found)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            under_way = {}
            while True:
                planted = sum(count for verdict, count in counts.items() if verdict != NOT_ONE)
                over = time.monotonic() - self.start > limit
                for one in itertools.islice(left, 0 if over else max(0, min(jobs, wanted - planted) - len(under_way))):
                    under_way[pool.submit(self.verdict, one)] = one
                if not under_way:
                    return counts
                done, _ = concurrent.futures.wait(under_way, return_when=concurrent.futures.FIRST_COMPLETED)
                for each in done:
                    one, verdict = under_way.pop(each), each.result()
                    counts[verdict] = counts.get(verdict, 0) + 1
                    self.known[one.name] = verdict
                    self.file.write_text(json.dumps(self.known, indent=1))
                    print(f"{verdict:17}{one.name}", flush=True)


def trees_of(given, mutants):
    """A copy for each job, in which all that is needed is built and passes."""
    one = given.folder.resolve()
    folders = [one] if given.jobs == 1 else [one / str(i) for i in range(given.jobs)]
    trees = [Tree(folder, max(1, os.cpu_count() // given.jobs)) for folder in folders]
    targets = sorted({each.tests.split(" ")[0] for each in mutants if not each.tests.split(" ")[0].endswith(".py")})
    for tree in trees:
        for target in targets:
            if said := tree.builds(target):
                sys.exit(f"mutants: {target} cannot be built unchanged:\n{said[-2000:]}")
    for tests in sorted({each.tests for each in mutants}):
        if trees[0].fails(tests):
            sys.exit(f"mutants: {tests} fails unchanged")
    return trees


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["list", "run"])
    parser.add_argument("--generated", type=int, metavar="COUNT", default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--limit", type=float, default=float("inf"), metavar="SECONDS", help="begin none after that")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time, each in a copy of the tree (1)")
    parser.add_argument("--resume", action="store_true", help="take the verdicts of earlier calls for the same sources")
    given = parser.parse_args(arguments)
    mutants, wanted = chosen(given)
    if given.command == "list":
        for one in mutants[:wanted]:
            print(f"{one.name}  [{one.file}: {one.tests}]")
        return 0
    verdicts, start = given.folder.resolve() / "verdicts.json", time.monotonic()
    trees = trees_of(given, mutants)
    known = json.loads(verdicts.read_text()) if given.resume and verdicts.is_file() else {}
    counts = Run(trees, known, verdicts).all(mutants, wanted, given.limit)
    planted = sum(count for verdict, count in counts.items() if verdict != NOT_ONE)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())), f"; {counts.get('caught', 0)} caught of "
          f"{planted} planted ({wanted} wanted) in {time.monotonic() - start:.0f} s")
    return 1 if counts.get("survived") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
