#!/usr/bin/env python3
"""./study evidence [OPTION...], in a bundle ./evidence.py --ladder ./ladder [OPTION...]

Counts the events that the idea of each CUDA rung is about with Nsight Compute (ncu): active lanes, bank conflicts, barriers,
sectors per load, instructions per element, bytes from DRAM. ncu runs `ladder --profile`, which runs each rung alone on the
device and without timing; the facts are those of a rung's longest launch. cuobjdump shows the loops in the machine code. Both
tools come with the CUDA toolkit; the driver may restrict counters to root (developer.nvidia.com/ERR_NVGPUCTRPERM).

  --rungs=r04,r16                                         rungs; default: all
  --size=2^26  --type=f32  --op=sum                       problem; these are the defaults
  --backend=kokkos/cuda                                   Kokkos's rungs instead of CUDA's
  --records=FILE                                          file for the records; ./study uses a new file in results/

Other options are passed to the program. Each rung has a record of kind `evidence`, after the program's own record of kind
`run`. Exit status: 0 all rungs have all facts; 1 some facts are missing; 2 the request is not possible.
"""

import argparse
import csv
import io
import pathlib
import re
import subprocess

from sass import KERNELS, kernels_of, loops, rung_of
from shared import ROOT, Failure, append_records, ended, find_tool, listing, printed, run_record

SPACES = {"cuda": f"6ladder4cuda{KERNELS}", "kokkos/cuda": f"6ladder6kokkos{KERNELS}"}  # kernel names of a backend
OPCODES = "sass__inst_executed_per_opcode_with_modifier_all"
# Instructions recorded as evidence: loads, shared memory, shuffles, barriers, atomic updates, fences.
TOLD = re.compile(r"(LDG|LDS|STS|SHFL|BAR|WARPSYNC|RED|REDG|REDUX|ATOM|ATOMG|ATOMS|MEMBAR)(\.|$)")

# Facts that can be counted: name in the record, source, unit; text for the report and its bars. Path of the report's file; a
# bundle has no report and keeps it next to this script.
PLACES = [pathlib.Path(__file__).with_name("evidence.csv"), ROOT / "bench" / "report" / "evidence.csv"]
with open(next(path for path in PLACES if path.exists()), encoding="utf-8") as lines:
    FACTS = {line["fact"]: line for line in csv.DictReader(lines)}
METRICS = {name: found[1] for name, fact in FACTS.items() if (found := re.fullmatch(r"ncu: (\S+)", fact["source"]))}
QUOTIENTS = {name: found.groups() for name, fact in FACTS.items()
             if (found := re.fullmatch(r"ncu: (\w+) by (\w+)", fact["source"]))}
LAUNCH = ["gpu__time_duration.sum", "launch__grid_size", "launch__block_size"]


def number(text):
    """Parses ncu's "1,234" or "1,234 (instance: value; ...)"; None without a number."""
    text = text.split(" (")[0].replace(",", "")
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return None


def opcodes(text):
    """Parses ncu's "30 (LDS: 20; BAR.SYNC: 10)"; keeps the opcodes of TOLD."""
    pairs = re.findall(r"([A-Z][\w.]*): ([\d,]+)", text)
    return {name: int(count.replace(",", "")) for name, count in pairs if TOLD.match(name)}


def launches(text):
    """Rows of ncu's `--csv --page raw` as dictionaries; skips the program's own output before them."""
    begin = text.find('"ID",')
    if begin < 0:
        return []
    rows = list(csv.DictReader(io.StringIO(text[begin:])))[1:]  # the first row has units
    return [row for row in rows if None not in row.values()]


def longest(rows):
    """The longest launch of each rung; of several the first."""
    descending = sorted(rows, key=lambda row: -number(row["gpu__time_duration.sum"]))
    return {found[1]: row for row in reversed(descending) if (found := rung_of(row["Kernel Name"]))}


def describe(rung, row, code, problem):
    """The evidence record of one rung."""
    facts, counted, kernel = {}, opcodes(row[OPCODES]), row["Kernel Name"]
    grid, block = number(row["launch__grid_size"]), number(row["launch__block_size"])

    def add(name, value):
        facts[name] = {"value": value, "unit": FACTS[name]["unit"], "source": FACTS[name]["source"]}

    for name, metric in METRICS.items():
        add(name, number(row.get(metric, "")))
    for name, (of, by) in QUOTIENTS.items():
        if facts[by]["value"]:
            add(name, facts[of]["value"] / facts[by]["value"])
    barriers, warps = sum(count for name, count in counted.items() if name.startswith("BAR")), grid * (block // 32)
    add("barriers_per_warp", barriers / warps)
    issued = facts["instructions"]["value"]
    add("instructions_per_element", None if issued is None else 32 * issued / problem["n"])
    widths = dict.fromkeys((32, 64, 128), 0)  # LDG.E, LDG.E.64.CONSTANT: 32 bits by default
    for name, count in counted.items():
        if name.startswith("LDG."):
            widths[next((bits for bits in (64, 128) if str(bits) in name.split(".")), 32)] += count
    add("load_bits", max(widths, key=widths.get) if any(widths.values()) else None)
    if kernel in code:
        add("loops", loops(code[kernel]))
    return {"rung": rung["id"], "slug": rung["slug"], **problem, "block": block, "grid": grid, "kernel": kernel,
            "facts": facts, "opcodes": counted}


def shown(records):
    columns = ["bytes_per_shared_load", "wavefronts_per_shared_load", "bank_conflicts_load", "barriers_per_warp",
               "sectors_per_request", "load_bits", "loops", "instructions_per_element", "issue_active", "warps_active",
               "dram_read"]
    rows = [["rung", *columns]]
    for record in records:
        values = [record["facts"].get(name, {}).get("value") for name in columns]
        rows.append([record["rung"]] + ["-" if v is None else f"{v:.4g}" if isinstance(v, float) else str(v) for v in values])
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in rows)


def profile(ncu, arguments, selection):
    command = [ncu, "--csv", "--page", "raw", "--print-kernel-base", "mangled", "--kernel-name-base", "mangled",
               "--clock-control", "none", "--print-metric-instances", "details", "-k", f"regex:{SPACES[arguments.backend]}",
               "--metrics", ",".join([*METRICS.values(), *LAUNCH, OPCODES]),
               arguments.ladder, "--profile", *selection]
    done = subprocess.run(command, capture_output=True, text=True)
    rows = launches(done.stdout)
    if not rows or done.returncode != 0:
        said = "\n".join(line for line in (done.stdout + done.stderr).splitlines() if line.startswith(("==", "ladder:")))
        raise Failure(f"ncu {'failed' if rows else 'counted nothing'}:\n{said or done.stderr.strip() or done.stdout.strip()}")
    return rows


def main():
    parser = argparse.ArgumentParser(description="What the hardware did in each rung on an NVIDIA GPU, as records.")
    parser.add_argument("--ladder", required=True, help="the measuring program")
    parser.add_argument("--backend", default="cuda", choices=SPACES)
    parser.add_argument("--rungs", help="default: every rung of the backend")
    parser.add_argument("--size", default="2^26", help="elements, as the program takes them")
    parser.add_argument("--type", default="f32")
    parser.add_argument("--op", default="sum")
    parser.add_argument("--records", type=pathlib.Path, help="where the records go")
    arguments, more = parser.parse_known_args()
    ncu = find_tool("ncu")
    if not ncu:
        raise Failure("ncu is not here: it comes with the CUDA toolkit (Nsight Compute), or from developer.nvidia.com")
    listed = listing(arguments.ladder)
    ladder = {rung["id"]: rung for rung in listed["ladders"]["device"]}
    rungs = [rung["id"] for rung in listed["rungs"] if rung["backend"] == arguments.backend and rung["id"] in ladder]
    if not rungs:
        raise Failure(f"the program has no backend {arguments.backend}")
    selection = [f"--backends={arguments.backend}", "--scope=kernel", f"--rungs={arguments.rungs or ','.join(rungs)}",
                 f"--sizes={arguments.size}", f"--types={arguments.type}", f"--ops={arguments.op}", *more]
    names = printed([arguments.ladder, "--benchmark_list_tests", *selection], "the program lists no measurements")
    wanted = re.findall(rf"^reduce/{arguments.backend}/(r\d\d)_\S*?/n:(\d+)(?:\S*/items:(\d+))?", names, re.M)
    if len({rung for rung, _, _ in wanted}) < len(wanted):
        raise Failure("one measurement of each rung at a time: one size, type and tuning")

    run = run_record(arguments.ladder, arguments.backend, more)
    found = longest(profile(ncu, arguments, selection))
    try:
        code = kernels_of(arguments.ladder, "-fun", ",".join(row["Kernel Name"] for row in found.values()))
    except Failure:
        code = {}
        print("evidence: no machine code was read (cuobjdump is not here, or says nothing): loops are not counted")

    problem = {"backend": arguments.backend, "type": arguments.type, "op": arguments.op}
    records = [describe(ladder[rung], found[rung], code, {**problem, "n": int(n), "items": int(items) if items else None})
               for rung, n, items in wanted if rung in found]
    if arguments.records:
        append_records(arguments.records, "evidence", run, records)
    print(shown(records))
    missing = [rung for rung, _, _ in wanted if rung not in found]
    if missing:
        print(f"evidence: no launch was seen of {', '.join(missing)}")
    lacking = sorted({name for record in records for name in METRICS if record["facts"][name]["value"] is None})
    if lacking:
        print(f"evidence: ncu told nothing of {', '.join(METRICS[name] for name in lacking)}")
    return 1 if missing or lacking else 0


if __name__ == "__main__":
    ended(main)
