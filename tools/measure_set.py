#!/usr/bin/env python3
"""measure_set.py [--ladder=PROGRAM] [--to=FOLDER] [--processes=N] [--dry-run] [PART...]

Measures the records of a machine that are committed, part by part. Each part is one file in FOLDER (default records/) with
all processes (default 5) of its measurements, and takes at most 9 minutes on an H200. A part that is finished is passed over,
one that was stopped goes on. --dry-run prints the commands, and runs nothing but `PROGRAM --list`. Without parts: those of the
machine's GPU, or where there is none, of its CPU. Then tools/pack.py makes the committed form.

Parts of a GPU:
  sizes_cold sizes_hot  float sums of r16, r20, r31, r30 and the libraries, 2^4 to 2^30, kernel scope
  sizes_host            r16, r20, r30, polled too, and the libraries in host scope, cold and hot
  rungs                 every rung, 2^12 to 2^30, cold, kernel scope (r00 to 2^24)
  types types_native    r20, r30 and the libraries with all types and operations: two sizes, and two more on cuda alone
  accuracy              r16, r20, r27 to r30 and the libraries on uniform data, two blocks: errors in ulps, different results
  energy                joules per GB of r04, r16, r30 and the libraries; nothing where no counter is
of a CPU:
  cpu                   every rung of the CPU and of Kokkos on it, at sizes in cache and beyond
  cpu_memory            c07 on, Kokkos's r30 and the libraries: float and double beyond four times the last-level cache
  cpu_cache             c00, c08, c13 and the libraries: the same, hot, 64 bytes to 8 MiB
  threads               the CPU's rungs, oneTBB and Kokkos by 1, 2, 4 ... to all hardware threads, in memory and in cache
and only where they are asked for:
  core                  the five parts that hold a device against others of its model, in at most 6 minutes: core_sizes (r30
                        beside CUB, cold and hot), core_models (four rungs and the libraries of each model), core_dependent (r32
                        beside r16), core_chain (calls in a chain), core_cpu (the host's CPU)
  overlap               the header's calls that overlap with the kernel before, in a chain, beside r30 and CUB: of ladder_variants
  batch                 many reductions at once: rows by their length, columns, segments, small ones, and the steps of b01 to b05
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

GPU = ("cuda", "hip", "kokkos/cuda", "kokkos/hip")
OF_GPU = ["sizes_cold", "sizes_hot", "sizes_host", "rungs", "types", "types_native", "accuracy", "energy"]
OF_CPU = ["cpu", "cpu_memory", "cpu_cache", "threads"]
CORE = ["core_sizes", "core_models", "core_dependent", "core_chain", "core_cpu"]

# CUB's reproducible mode of CCCL 3.5 is wrong at 2^30 floats; 2^29 is untested. One wrong sample ends a part.
WRONG = "library_cub_reproducible/.*/n:(536870912|1073741824)/"
# Kokkos's own reductions take seconds for a few long rows, or one long segment.
SLOW = "library_(nested|team)_rows/.*/(rows:(65536|262144|4194304|268435456)|segments:half:64)/"


class Machine:
    """The program's rungs, and its backends that can be measured here."""

    def __init__(self, ladder, dry_run):
        rungs = json.loads(subprocess.check_output([ladder, "--list", "--format=json"]))["rungs"]
        self.ids, self.backends = sorted({rung["id"] for rung in rungs}), {rung["backend"] for rung in rungs}
        if not dry_run:
            tests = subprocess.run([ladder, "--benchmark_list_tests", "--sizes=2^10"], stdout=subprocess.PIPE, text=True).stdout
            self.backends = set(re.findall(r"^reduce/(.*)/[rc]\d\d_", tests, re.M))

    def on(self, *backends):
        return "--backends=" + ",".join(name for name in backends if name in self.backends)

    def only(self, names):
        """The --rungs option for the available ones of these rungs. `r00..` extends to the last rung of its ladder."""
        def last_of(name):
            return max(one for one in self.ids if re.fullmatch(rf"{name[0]}\d\d", one)) if name.endswith("..") else ""

        return "--rungs=" + ",".join(name + last_of(name) for name in names.split()
                                     if name == "lib" or name.rstrip(".") in self.ids)


def large_size():
    """Smallest power of two in GiB that holds four last-level caches: large enough to measure memory."""
    cache, gib = subprocess.run(["getconf", "LEVEL3_CACHE_SIZE"], capture_output=True, text=True).stdout.strip(), 1
    while 4 * int(cache or 0) > gib << 30:
        gib *= 2
    return f"{gib}GiB"


def runs_of(machine):
    """{part: its run, or its runs by name}; a run is options, preceded by environment variables."""
    on, only, gpu, native = machine.on, machine.only, machine.on(*GPU), machine.on("cuda")
    sizes = f"{gpu} --sizes=2^4..2^30 --benchmark_filter=-{WRONG} --samples=40"
    types = "--types=i8,i32,i64,f16,bf16,f32,f64 --ops=sum,product,min,max,and,or,xor --cache=cold --scope=kernel --samples=40"
    batch = "--types=f32 --ops=sum --scope=kernel --samples=10"
    large = f"{gpu} --sizes=1GiB --cache=cold {batch}"
    return {
        "sizes_cold": f"{sizes} {only('r16 r20 r31 r30 lib')} --cache=cold --scope=kernel",
        "sizes_hot": f"{sizes} {only('r16 r20 r31 r30 lib')} --cache=hot --scope=kernel",
        "sizes_host": f"{sizes} {only('r16 r20 r30 r30_polled r30_mapped r30_graph lib')} --cache=both --scope=host",
        "rungs": f"{gpu} {only('r00.. lib')} --sizes=2^12,2^16,2^20,2^24,2^28,2^30 --cache=cold --scope=kernel --samples=40 "
                 f"--benchmark_filter=-/r00_.*/n:(268435456|1073741824)/|{WRONG}",
        "types": f"{gpu} {only('r20 r30 lib')} --sizes=2^16,2^28 {types}",
        "types_native": f"{native} {only('r20 r30 lib')} --sizes=2^20,2^24 {types}",
        "accuracy": f"{gpu} {only('r16 r20 r27 r28 r29 r30 lib')} --sizes=2^24 --block=128,512 --data=uniform --samples=40 "
                    "--scope=kernel",
        "energy": f"--energy {gpu} --benchmark_filter=-{WRONG}",
        "cpu": f"{on('cpu', 'kokkos/openmp', 'kokkos/serial')} --sizes=2^12,2^16,2^20,2^24,2^28,1GiB --cache=cold --quick",
        "cpu_memory": f"{on('cpu', 'kokkos/openmp')} {only('c07.. r30 lib')} --types=f32,f64 --ops=sum,min,max "
                      f"--sizes={large_size()} --cache=cold --samples=9",
        "cpu_cache": f"--backends=cpu {only('c00 c08 c13 lib')} --types=f32,f64 --ops=sum,min,max --cache=hot --samples=9 "
                     "--sizes=64B,256B,1KiB,4KiB,16KiB,32KiB,64KiB,128KiB,256KiB,512KiB,1MiB,2MiB,4MiB,8MiB",
        "threads": by_threads(machine),
        "core_sizes": f"{native} {only('r30 lib')} --sizes=2^4..2^30 --benchmark_filter=-{WRONG} --cache=both --scope=kernel "
                      "--samples=20",
        "core_models": f"{gpu} {only('r04 r16 r30 r32 lib')} --sizes=2^12,2^16,2^20,2^24,2^28,2^30 --benchmark_filter=-{WRONG} "
                       "--cache=cold --scope=kernel --samples=20",
        "core_dependent": f"{native} {only('r16 r32')} --sizes=2^12,2^16,2^20 --cache=both --scope=kernel --samples=20",
        "core_chain": f"{native} {only('r16 r30 r32 lib')} --sizes=2^12,2^16,2^20,2^22,2^24,2^28 --scope=chain --samples=20 "
                      "--no-ceilings",
        "core_cpu": f"{on('cpu')} {only('c13 lib')} --sizes=2^12,2^16,2^20,2^24,2^28 --cache=cold --samples=9",
        "overlap": f"{native} --rungs=r30,lib,{','.join(one for one in machine.ids if one.startswith('overlap_'))} --types=f32 "
                   "--scope=chain --samples=20 --no-ceilings --sizes=2^12,2^14,2^16,2^18,2^20,2^22,2^24,2^26,2^28",
        "batch": {
            "rows": f"{large} {only('b10 lib')} --benchmark_filter=-{SLOW} --shape=" + ",".join(
                f"rows:{length}" for length in "2^2 2^3 2^4 17 2^6 100 2^8 333 2^10 2^12 2^14 2^16 2^18 2^22 2^28".split()),
            "columns": f"{large} {only('b07 b10 lib')} --shape=columns:16,columns:64,columns:1024,columns:65536",
            "segments": f"{large} {only('b08 b10 lib')} --benchmark_filter=-{SLOW} "
                        "--shape=segments:uniform:8..8192,segments:zipf:64,segments:half:64",
            "small": f"{gpu} {only('b10 lib')} --cache=hot --shape=rows:1024x1024,rows:64x16384,rows:65536x16 {batch}",
            "steps": f"{native} {only('b01 b02 b03 b04 b05')} --sizes=1GiB --cache=cold "
                     f"--shape=rows:2^4,rows:2^6,rows:2^8,rows:2^10,rows:2^12,rows:2^16 {batch}"}}


def by_threads(machine):
    """Runs by thread count: an axis for the CPU's rungs, a separate process per count for Kokkos."""
    most, runs = len(os.sched_getaffinity(0)), {}
    counts = [*(1 << i for i in range(most.bit_length()) if 1 << i < most), most]
    rungs, of_kokkos = machine.only("c07 c08 c09 c13 library_std_reduce"), machine.only("r16 r30 lib")
    for cache, sizes in (("cold", "1GiB"), ("hot", "2^20,2^24")):
        what = f"--sizes={sizes} --cache={cache} --samples=20 --no-ceilings"
        runs[f"cpu_{cache}"] = f"--backends=cpu {rungs} --workers={','.join(map(str, counts))} {what}"
        for count in counts if "kokkos/openmp" in machine.backends else ():
            runs[f"kokkos_{cache}_{count}"] = f"OMP_NUM_THREADS={count} --backends=kokkos/openmp {of_kokkos} {what}"
    return runs


def status_of(words, log):
    """Exit status of a command, which is terminated with this program."""
    with open(log, "w") as out, subprocess.Popen(["env", *words], stdin=subprocess.DEVNULL, stdout=out, stderr=out) as process:
        try:
            return process.wait()
        finally:
            process.terminate()


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
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
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
    parts = [one for part in asked.parts for one in (CORE if part == "core" else [part])]
    if unknown := [part for part in parts if part not in runs]:
        parser.exit(2, f"measure_set: unknown: {', '.join(unknown)} (--help lists the parts)\n")
    usual = OF_GPU if machine.backends.intersection(GPU) else OF_CPU
    for part in parts or [one for one in usual if one != "types_native" or "cuda" in machine.backends]:
        file, folder = asked.to / f"{part}.jsonl", asked.to / part
        if file.exists():
            print(f"== {part}: is there ({file})")
        elif isinstance(runs[part], str):
            run(part, runs[part], file, asked)
        else:
            for name, options in runs[part].items():
                run(f"{part}/{name}", options, folder / f"{name}.jsonl", asked)
            if not asked.dry_run:
                file.write_bytes(b"".join(one.read_bytes() for one in sorted(folder.glob("*.jsonl"))))
                shutil.rmtree(folder)


if __name__ == "__main__":
    main()
