"""What holds of a GPU's model: each claim on every device that measured it, by the parts core and overlap of measure_set.py."""

import collections
import math
import statistics

import pandas

from .. import intervals, records
from ..parts import Cell, Table
from ..text import listed, number
from .source import marked

SMALL, MIDDLE = [2**power for power in range(4, 13)], [2**power for power in range(13, 26)]
LARGE = 2**28


def ratio(rows, slow, fast, sizes, **where):
    """How many times as fast the second rung, or BACKEND:RUNG, is in the processes that measured both: the geometric mean over
    these sizes. Nothing unless each size has such processes."""
    for name, value in where.items():
        rows = rows[rows[name] == value]
    rows = rows[(rows["status"] == "right") & rows["n"].isin(sizes)]
    sides = (rows.loc[rows["backend"] + ":" + rows["rung"] == (rung if ":" in rung else f"cuda:{rung}"),
                      ["n", "run", "by_process"]] for rung in (slow, fast))
    both = pandas.merge(*sides, on=["n", "run"])
    if both["n"].nunique() < len(sizes):
        return None
    logs = [intervals.ratio(*pair).log for pair in zip(both["by_process_x"], both["by_process_y"], strict=True)]
    return math.exp(both.assign(log=logs).groupby("n")["log"].mean().mean())


def faster(slow, fast, sizes, scope="kernel", **where):
    """That ratio of what a device measured."""
    return lambda rows: ratio(rows, slow, fast, sizes, scope=scope, **where)


def least_against_cub(rows):
    found = [faster("library_cub_newest", "r30", [n], cache=cache)(rows) for cache in ("cold", "hot") for n in SMALL + MIDDLE]
    return min(found) if None not in found else None


def of_ceiling(rows):
    chosen = rows[(rows["rung"] == "r30") & (rows["backend"] == "cuda") & (rows["n"] == LARGE) & (rows["cache"] == "cold")]
    return chosen["of_ceiling"].median() if len(chosen) else None


# What is claimed of a model, in words, and its value on one device.
CLAIMS = [
    ("r30 relative to the read ceiling, 2²⁸, cold", of_ceiling),
    *((f"CUB's time / r30's time, {said} CUB, 2¹³ to 2²⁵, {cache}", faster(library, "r30", MIDDLE, cache=cache))
      for library, said in (("library_cub", "the toolkit's"), ("library_cub_newest", "the newest"))
      for cache in ("cold", "hot")),
    ("the same, the newest, 2⁴ to 2¹², cold", faster("library_cub_newest", "r30", SMALL, cache="cold")),
    ("the least of it at any of these sizes, cold or hot", least_against_cub),
    *((f"{said}, 2²⁸{more}", faster(to, of, [LARGE], cache="cold")) for said, of, to, more in (
        ("Kokkos's r30 relative to CUDA's", "kokkos/cuda:r30", "r30", ""),
        ("Kokkos's tree (r04) relative to CUDA's", "kokkos/cuda:r04", "r04", ""),
        ("Kokkos::parallel_reduce relative to CUDA's r30", "kokkos/cuda:library_range_view", "r30",
         ", unsigned index, the default of 5.0"),
        ("Kokkos::parallel_reduce relative to CUDA's r30", "kokkos/cuda:library_range_signed", "r30",
         ", signed index, the default of 5.2"),
        ("HIP's r30 relative to CUDA's", "hip:r30", "r30", ""))),
    *((f"r16's time / r32's time, 2¹², 2¹⁶ and 2²⁰, {cache}", faster("r16", "r32", [2**12, 2**16, 2**20], cache=cache))
      for cache in ("cold", "hot")),
    *((f"newest CUB's time / {said}'s time, a call in a chain, {words}",
       faster("library_cub_newest", f"overlap_{said}", [n], scope="chain"))
      for said in ("after_previous", "input_ready")
      for words, n in (("2¹²", 2**12), ("2¹⁶", 2**16), ("2²⁰", 2**20), ("2²²", 2**22), ("2²⁴", 2**24))),
]


def table(root):
    """Of all devices under docs/results. A row for each claim, a column for each model: the median device, and from which to
    which."""
    results = root / "docs" / "results"
    study = records.read(sorted([*results.glob("*/core_*.jsonl.gz"), *results.glob("*/overlap.jsonl.gz")]), samples=False)
    rows = study.measurements
    devices = collections.defaultdict(dict)  # {model: {device's id: its measurements}}
    for (model, device), own in rows[rows["device_kind"] == "gpu"].groupby(["device", "machine"]):
        devices[model][device] = own
    lines = []
    for said, value_of in CLAIMS:
        cells = []
        for of_model in devices.values():
            values = sorted(value for own in of_model.values() if (value := value_of(own)) is not None)
            if not values:
                cells.append(Cell("-"))
                continue
            middle, least, largest = (number(value, most=3) for value in (statistics.median(values), values[0], values[-1]))
            cells.append(Cell(f"{middle} ({least} to {largest}; {len(values)})"))
        lines.append([Cell(said), *cells])
    heads = [f"{model}: median (least to largest; devices)" for model in devices]
    dates = sorted({run["date"][:10] for run in study.runs.values()})
    rungs = collections.defaultdict(set)  # {commit: those of CUDA that it measured}
    for run, rung in rows[rows["backend"] == "cuda"].groupby("run")["rung"]:
        rungs[study.runs[run]["commit"]].update(rung)
    commits = listed(marked(root, commit, rungs[commit]) for commit in sorted({run["commit"] for run in study.runs.values()}))
    note = (f"Float sums, {' to '.join(dict.fromkeys((dates[0], dates[-1])))}, commits {commits}. Records: `core_*.jsonl.gz` and "
            "`overlap.jsonl.gz` in `docs/results`.\n")
    return Table("", "", ["claim", *heads], lines, note, sides="l" + "r" * len(heads))
