"""What holds of a GPU's model: each claim on every device that measured it, by the parts core and overlap of measure_set.sh."""

import collections
import math
import statistics

from .. import intervals, records
from ..parts import Cell, Table
from ..text import listed, number

SMALL, MIDDLE = [2**power for power in range(4, 13)], [2**power for power in range(13, 26)]
LARGE = 2**28


def times(rows, rung, backend="cuda", **where):
    """{n: {run: {process: seconds}}} of a rung's right float sums on one device."""
    chosen = rows[(rows["rung"] == rung) & (rows["backend"] == backend) & (rows["status"] == "right")]
    for name, value in where.items():
        chosen = chosen[chosen[name] == value]
    found = collections.defaultdict(dict)
    for n, run, by_process in zip(chosen["n"], chosen["run"], chosen["by_process"], strict=True):
        found[n][run] = by_process
    return found


def ratio(slow, fast, sizes):
    """How many times as fast the second is in the processes that measured both: the geometric mean over these sizes. Nothing
    unless each size has such processes."""
    logs = []
    for n in sizes:
        both = [run for run in slow.get(n, ()) if run in fast.get(n, ())]
        if not both:
            return None
        logs.append(statistics.mean(intervals.ratio(slow[n][run], fast[n][run]).log for run in both))
    return math.exp(statistics.mean(logs))


def against_cub(library, cache, sizes):
    where = {"cache": cache, "scope": "kernel"}
    return lambda rows: ratio(times(rows, library, **where), times(rows, "r30", **where), sizes)


def least_against_cub(rows):
    found = [against_cub("library_cub_newest", cache, [n])(rows) for cache in ("cold", "hot") for n in SMALL + MIDDLE]
    return min(found) if None not in found else None


def on_backends(of, to):
    """The speed of the first (backend, rung) as a part of the second's, at 2^28, cold."""
    where = {"cache": "cold", "scope": "kernel"}
    return lambda rows: ratio(times(rows, to[1], to[0], **where), times(rows, of[1], of[0], **where), [LARGE])


def of_ceiling(rows):
    chosen = rows[(rows["rung"] == "r30") & (rows["backend"] == "cuda") & (rows["n"] == LARGE) & (rows["cache"] == "cold")]
    return chosen["of_ceiling"].median() if len(chosen) else None


def step(cache):
    where = {"cache": cache, "scope": "kernel"}
    return lambda rows: ratio(times(rows, "r16", **where), times(rows, "r32", **where), [2**12, 2**16, 2**20])


def chain(rung, n):
    return lambda rows: ratio(times(rows, "library_cub_newest", scope="chain"), times(rows, rung, scope="chain"), [n])


# What is claimed of a model, in words, and its value on one device.
CLAIMS = [
    ("r30 as a part of the read ceiling, 2²⁸, cold", of_ceiling),
    *((f"time of CUB, {said}, by r30's, 2¹³ to 2²⁵, {cache}", against_cub(library, cache, MIDDLE))
      for library, said in (("library_cub", "the toolkit's"), ("library_cub_newest", "the newest"))
      for cache in ("cold", "hot")),
    ("the same, the newest, 2⁴ to 2¹², cold", against_cub("library_cub_newest", "cold", SMALL)),
    ("the least of it at any of these sizes, cold or hot", least_against_cub),
    ("Kokkos's r30 as a part of CUDA's, 2²⁸", on_backends(("kokkos/cuda", "r30"), ("cuda", "r30"))),
    ("Kokkos's tree (r04) as a part of CUDA's, 2²⁸", on_backends(("kokkos/cuda", "r04"), ("cuda", "r04"))),
    *((f"Kokkos::parallel_reduce as a part of CUDA's r30, 2²⁸, {said}", on_backends(("kokkos/cuda", rung), ("cuda", "r30")))
      for said, rung in (("unsigned index, the default of 5.0", "library_range_view"),
                         ("signed index, the default of 5.2", "library_range_signed"))),
    ("HIP's r30 as a part of CUDA's, 2²⁸", on_backends(("hip", "r30"), ("cuda", "r30"))),
    *((f"time of r16 by r32's, 2¹², 2¹⁶ and 2²⁰, {cache}", step(cache)) for cache in ("cold", "hot")),
    *((f"time of the newest CUB by {said}, a call in a chain, {words}", chain(f"overlap_{said}", n))
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
    commits = listed(sorted({run["commit"] for run in study.runs.values()}))
    note = (f"Float sums, {' to '.join(dict.fromkeys((dates[0], dates[-1])))}, commits {commits}. Records: `core_*.jsonl.gz` and "
            "`overlap.jsonl.gz` in `docs/results`.\n")
    return Table("", "", ["claim", *heads], lines, note, sides="l" + "r" * len(heads))
