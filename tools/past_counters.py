#!/usr/bin/env python3
"""Counts what CUDA's rungs ask of the L2 cache, and how long their SMs have work, by Nsight Compute: a line of CSV for
each rung, block and grid, of its launch of median time where there are several.

    tools/past_counters.py --ladder build/nvidia/bench/ladder --to past-counters.csv [--rungs=r20..r31] [--size=2^28]
                           [OPTION OF THE PROGRAM...]

What docs/past.md shows of a GPU: floats, sums, each rung at its default tuning, or at those that --block and --grid name.
`ladder --profile` runs each alone, with nothing evicted; clocks and caches are as they come. Exit status 2 where it could not be
done, and then nothing is written.
"""

import argparse
import collections
import csv
import pathlib
import subprocess

from evidence import SPACES, launches, number
from sass import rung_of
from shared import Failure, ended, find_tool, listing

COUNTERS = {"ns": "gpu__time_duration.sum", "grid": "launch__grid_size", "block": "launch__block_size",
            "bytes": "l1tex__m_xbar2l1tex_read_bytes.sum", "requests": "lts__t_requests_srcunit_tex_op_read.sum",
            "least": "sm__cycles_active.min", "mean": "sm__cycles_active.avg", "cycles": "sm__cycles_elapsed.max"}
HEADS = ["rung", "block", "grid", "µs", "bytes from L2 to L1 per byte of input", "requests to L2 per 128 bytes",
         "least busy SM, %", "mean, %"]


def line_of(row, size):
    """What stands in the file of one launch over so many bytes."""
    told = {name: number(row.get(counter, "")) for name, counter in COUNTERS.items()}
    lacking = [COUNTERS[name] for name, value in told.items() if value is None]
    if lacking:
        raise Failure(f"ncu told nothing of {', '.join(lacking)}")
    _, rung = rung_of(row["Kernel Name"])
    part = [f"{100 * told[name] / told['cycles']:.0f}" for name in ("least", "mean")]
    return [rung, told["block"], told["grid"], f"{told['ns'] / 1000:.1f}", f"{told['bytes'] / size:.2f}",
            f"{told['requests'] / (size / 128):.2f}", *part]


def medians(lines):
    """Of the launches of one rung, block and grid the one of median time (of two the faster), in order of these three."""
    same = collections.defaultdict(list)
    for line in lines:
        same[tuple(line[:3])].append(line)
    return [sorted(some, key=lambda line: float(line[3]))[(len(some) - 1) // 2] for _, some in sorted(same.items())]


def main():
    parser = argparse.ArgumentParser(description="Counters of the rungs past the published ladders, as docs/past.md shows them.")
    parser.add_argument("--ladder", required=True, help="the measuring program")
    parser.add_argument("--to", type=pathlib.Path, required=True, help="the CSV file")
    parser.add_argument("--rungs", default="r20,r21,r23,r24,r25,r27,r28,r29,r30,r31")
    parser.add_argument("--size", type=int, default=28, help="the power of two of floats")
    arguments, more = parser.parse_known_args()
    ncu = find_tool("ncu")
    if not ncu:
        raise Failure("ncu is not here: it comes with the CUDA toolkit (Nsight Compute), or from developer.nvidia.com")
    if not any(rung["backend"] == "cuda" for rung in listing(arguments.ladder)["rungs"]):
        raise Failure("the program has no backend cuda")
    done = subprocess.run(
        [ncu, "--csv", "--page", "raw", "--print-units", "base", "--print-kernel-base", "mangled",
         "--kernel-name-base", "mangled", "--clock-control", "none", "--cache-control", "none", "-k", f"regex:{SPACES['cuda']}",
         "--metrics", ",".join(COUNTERS.values()), arguments.ladder, "--profile", "--backends=cuda", "--scope=kernel",
         f"--rungs={arguments.rungs}", f"--sizes=2^{arguments.size}", *more], capture_output=True, text=True)
    rows = launches(done.stdout)
    if done.returncode != 0 or not rows:
        raise Failure(f"ncu {'failed' if rows else 'counted nothing'}:\n{(done.stdout + done.stderr).strip()[-2000:]}")
    lines = medians(line_of(row, 4 << arguments.size) for row in rows)
    with open(arguments.to, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([HEADS, *lines])
    print(f"{len(lines)} lines, of {len(rows)} launches: {arguments.to}")
    return 0


if __name__ == "__main__":
    ended(main)
