#!/usr/bin/env python3
"""fuzz.py run|lines|planted|keep [READER...] [--seconds=60] [--quiet=SECONDS] [--build=build/fuzz]

Fuzzing of what reads bytes from outside, one fuzz target a reader, built by `cmake --preset fuzz && cmake --build --preset fuzz`.

run      each reader for so many seconds, from its corpus and what earlier runs found; what ends it is kept beside the build. Says
         when the last new edge was reached. With --quiet it goes on until none has been for so long
lines    how many lines of the reader's source the corpus and what was found reach, and which they do not
planted  a bug is planted in each reader: how many seconds until it is found, begun without the inputs that show it at once, with
         each of three seeds
keep     adds to the committed corpus what was found, is small, and reaches what the corpus does not

Exit status: 0 all as it should be (nothing found, nine lines of ten, each planted bug found); 1 not; 2 it could not be run."""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LEAST = 0.9  # of a reader's lines
VERDICTS = {0: "nothing found", 72: "nothing found until it was interrupted"}  # by libFuzzer's exit status
SEEDS = (1, 2, 3)  # with which a planted bug has to be found
SMALL = 2048  # bytes of an input that is kept
# Each reader: its sources, of each the functions that read nothing.
READERS = {
    "command_line": {"bench/cli/command_line.cpp": [], "bench/cli/typed_options.hpp": []},
    "sizes": {"bench/cli/parse.cpp": ["nearest", "distance", "lower"]},
    "records": {"bench/records/study_so_far.cpp": ["add_other_processes", "wanted"], "bench/records/records_file.cpp": ["append"]},
    "npy": {"bench/plan/npy.cpp": [], "bench/plan/data_file.cpp": ["kind_of"]},
    "tuning_file": {"bench/plan/tuning_file.cpp": ["name_of", "slug_of", "usual_file", "use_tuning"]},
}
QUIET = {**os.environ, "LLVM_PROFILE_FILE": "/dev/null", "ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "print_stacktrace=1"}


class Failed(Exception):
    """With a sentence for the user."""


def tool(name):
    for candidate in (f"{name}-15", name):
        if path := shutil.which(candidate):
            return path
    raise Failed(f"{name} is not installed (Debian: llvm-15)")


class Reader:
    def __init__(self, name, build):
        self.name, self.sources = name, READERS[name]
        self.program = build / "tests" / "fuzz" / f"fuzz_{name}"
        self.corpus = HERE / "corpus" / name
        self.found = build / "found" / name
        self.crashes = build / "crashes" / name
        if not self.program.exists():
            raise Failed(f"{self.program} is not there: cmake --preset fuzz && cmake --build --preset fuzz")
        for folder in (self.found, self.crashes):
            folder.mkdir(parents=True, exist_ok=True)

    def fuzz(self, seconds, folders, quiet=0, planted_with=None):
        """(exit status, the lines that libFuzzer wrote, seconds until it ended, seconds until the last new edge)

        With `quiet` it is ended only when no new edge has been reached for so many seconds."""
        program = f"{self.program}{'' if planted_with is None else '_planted'}"
        words = [program, "-timeout=10", "-rss_limit_mb=2048", "-max_len=4096", "-close_fd_mask=1", "-print_final_stats=1",
                 f"-dict={HERE / 'words' / self.name}.dict", f"-artifact_prefix={self.crashes}/", *map(str, folders)]
        words += [f"-seed={planted_with}"] * (planted_with is not None) + [f"-max_total_time={seconds}"] * (not quiet)
        lines, coverage = [], Coverage()
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", env=QUIET,
                              cwd=self.crashes) as running:
            if quiet:
                threading.Thread(target=end_when_quiet, args=(running, coverage, seconds, quiet), daemon=True).start()
            for line in running.stderr:
                lines.append(line.rstrip("\n"))
                coverage.take(line)
        return running.returncode, lines, coverage.now(), coverage.last


class Coverage:
    """When the last new edge was reached, by the lines of libFuzzer as they come. Those that the corpus reaches are not new."""

    def __init__(self):
        self.start, self.edges, self.last = time.monotonic(), None, 0.0

    def now(self):
        return time.monotonic() - self.start

    def take(self, line):
        found = re.match(r"#\d+\s+(\w+)\s+cov: (\d+)", line)
        if not found:
            return
        if self.edges is not None and int(found[2]) > self.edges:
            self.last = self.now()
        if self.edges is not None or found[1] == "INITED":
            self.edges = max(self.edges or 0, int(found[2]))


def end_when_quiet(running, coverage, seconds, quiet):
    while running.poll() is None:
        time.sleep(1)
        if coverage.now() >= seconds and coverage.now() - coverage.last >= quiet:
            return running.send_signal(signal.SIGUSR1)  # on which libFuzzer ends as after its time


def said(lines, pattern, otherwise="?"):
    found = [match[1] for line in lines if (match := re.search(pattern, line))]
    return found[-1] if found else otherwise


def run(reader, seconds, quiet):
    status, lines, took, last = reader.fuzz(seconds, [reader.found, reader.corpus], quiet)
    print(f"{reader.name}: {said(lines, r'number_of_executed_units: *([0-9]+)')} inputs in {took:.0f} s, "
          f"{said(lines, r'cov: ([0-9]+)')} edges, {said(lines, r'new_units_added: *([0-9]+)')} inputs that reach more, "
          f"last new edge after {last:.0f} s, none in the {took - last:.0f} s behind it: "
          f"{VERDICTS.get(status, 'FOUND')}", flush=True)
    if status:
        wrong = re.compile("ERROR|SUMMARY|broken promise|runtime error|what\\(\\)|Test unit written")
        print("\n".join(f"  {line}" for line in lines if wrong.search(line)))
    return status == 0


def counted(reader, scratch):
    """{source: {line: times}} over the corpus and what was found."""
    raw, data = scratch / f"{reader.name}.raw", scratch / f"{reader.name}.data"
    inputs = [path for folder in (reader.corpus, reader.found) for path in sorted(folder.iterdir())]
    subprocess.run([reader.program, *inputs], env={**QUIET, "LLVM_PROFILE_FILE": str(raw)}, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", raw, "-o", data], check=True)
    sources = [str(ROOT / source) for source in reader.sources]
    export = [tool("llvm-cov"), "export", "-format=lcov", f"-instr-profile={data}", reader.program, *sources]
    text = subprocess.run(export, check=True, capture_output=True, text=True).stdout
    lines, begins, source = {}, {}, None
    for line in text.splitlines():
        kind, _, value = line.partition(":")
        if kind == "SF":
            source = str(pathlib.Path(value).resolve().relative_to(ROOT))
            lines[source], begins[source] = {}, {}
        elif kind == "FN":
            number, name = value.split(",", 1)
            begins[source][int(number)] = name
        elif kind == "DA":
            number, times = value.split(",")[:2]
            lines[source][int(number)] = int(times)
    for name, table in lines.items():
        for number in list(table):
            of = max((begin for begin in begins[name] if begin <= number), default=None)
            if of is not None and any(f"{len(word)}{word}" in begins[name][of] for word in reader.sources[name]):
                del table[number]
    return lines


def lines_of(reader, *_):
    with tempfile.TemporaryDirectory() as scratch:
        found = counted(reader, pathlib.Path(scratch))
    every = [times for table in found.values() for times in table.values()]
    share = sum(times > 0 for times in every) / len(every)
    print(f"{reader.name}: {sum(times > 0 for times in every)} of {len(every)} lines, {100 * share:.1f} %")
    for source, table in found.items():
        if missed := [str(number) for number, times in table.items() if times == 0]:
            print(f"  {source}: not {', '.join(missed)}")
    return share >= LEAST


def planted(reader, seconds, _):
    with tempfile.TemporaryDirectory() as scratch:
        begin, shows = pathlib.Path(scratch) / "begin", 0
        begin.mkdir()
        for path in sorted(reader.corpus.iterdir()):
            words = [f"{reader.program}_planted", "-timeout=10", f"-artifact_prefix={scratch}/", path]
            if subprocess.run(words, capture_output=True, env=QUIET, check=False).returncode:
                shows += 1
            else:
                shutil.copy(path, begin)
        found = []
        for seed in SEEDS:  # each from the same inputs
            folder = pathlib.Path(scratch) / f"of_{seed}"
            shutil.copytree(begin, folder)
            status, lines, took, _ = reader.fuzz(seconds, [folder], planted_with=seed)
            why = said(lines, "(broken promise: .*)", said(lines, "SUMMARY: ([^(]*)", "nothing").strip())
            print(f"{reader.name}, seed {seed}: {f'found in {took:.0f} s ({why})' if status else f'NOT found in {took:.0f} s'}",
                  flush=True)
            found.append(status != 0)
    print(f"{reader.name}: {sum(found)} of {len(found)} found; {shows} inputs of the corpus show it too")
    return all(found)


def keep(reader, *_):
    """Least inputs that together reach all that corpus and found do; those of the corpus stay."""
    with tempfile.TemporaryDirectory() as scratch:
        small = pathlib.Path(scratch) / "small"
        small.mkdir()
        for path in reader.found.iterdir():
            if path.stat().st_size <= SMALL:
                shutil.copy(path, small)
        before = len(list(reader.corpus.iterdir()))
        subprocess.run([reader.program, "-merge=1", "-max_len=4096", reader.corpus, small], check=True, env=QUIET, cwd=scratch,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    files = list(reader.corpus.iterdir())
    print(f"{reader.name}: {len(files) - before} more inputs, {len(files)} in all, {sum(f.stat().st_size for f in files)} bytes")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "lines", "planted", "keep"])
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(READERS)}: all without a word")
    parser.add_argument("--seconds", type=int, default=60, help="for each reader (60)")
    parser.add_argument("--quiet", type=int, default=0, metavar="SECONDS",
                        help="go on until no new edge has been reached for so long; a run of that has no other end")
    parser.add_argument("--jobs", type=int, default=1, help="readers at a time (1)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "fuzz", help="folder of preset fuzz")
    arguments = parser.parse_args()
    if unknown := set(arguments.readers) - set(READERS):
        parser.error(f"no reader is called {', '.join(sorted(unknown))}; there are {', '.join(READERS)}")
    act = {"run": run, "lines": lines_of, "planted": planted, "keep": keep}[arguments.what]
    try:
        readers = [Reader(name, arguments.build.resolve()) for name in arguments.readers or READERS]
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            good = list(pool.map(lambda reader: act(reader, arguments.seconds, arguments.quiet), readers))
    except (Failed, subprocess.CalledProcessError) as error:
        print(f"fuzz.py: {error}", file=sys.stderr)
        return 2
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
