"""Claims about GPU models, checked on every device measured with the parts core and overlap of measure_set.py."""

import collections
import math
import pathlib
import statistics

import pandas

from .. import intervals, records
from ..parts import Cell, Table
from ..text import listed, number
from .source import marked

# A claim: speed of `fast` relative to `slow`, both BACKEND:RUNG, at these powers of two; for `slow` = ceiling, the fraction of
# it. Which: the geometric mean over the sizes, or the least over all sizes and cache states.
CLAIMS = pathlib.Path(__file__).parents[1] / "claims.csv"


def value_of(claim, rows):
    """A claim's value on one device, from processes that measured both sides; None if a size lacks such processes."""
    sizes, caches = [2 ** int(power) for power in claim.powers.split()], claim.cache.split()
    rows = rows[(rows["status"] == "right") & (rows["scope"] == claim.scope) & rows["cache"].isin(caches) & rows["n"].isin(sizes)]
    names = rows["backend"] + ":" + rows["rung"]
    if claim.slow == "ceiling":
        chosen = rows[names == claim.fast]
        return chosen["of_ceiling"].median() if len(chosen) else None
    sides = (rows.loc[names == name, ["n", "cache", "run", "by_process"]] for name in (claim.slow, claim.fast))
    both = pandas.merge(*sides, on=["n", "cache", "run"])
    logs = [intervals.ratio(*pair).log for pair in zip(both["by_process_x"], both["by_process_y"], strict=True)]
    of_sizes = both.assign(log=logs).groupby(["n", "cache"])["log"].mean()
    if len(of_sizes) < len(sizes) * len(caches):
        return None
    return math.exp(of_sizes.min() if claim.which == "least" else of_sizes.mean())


def cell(claim, devices):
    """Median and range over these devices."""
    values = sorted(value for own in devices if (value := value_of(claim, own)) is not None)
    if not values:
        return Cell("-")
    middle, least, largest = (number(value, most=3) for value in (statistics.median(values), values[0], values[-1]))
    return Cell(f"{middle} ({least} to {largest}; {len(values)})")


def table(root):
    """Claims on all devices under docs/results: a row per claim, a column per model."""
    results = root / "docs" / "results"
    study = records.read(sorted([*results.glob("*/core_*.jsonl.gz"), *results.glob("*/overlap.jsonl.gz")]), samples=False)
    rows = study.measurements
    models = collections.defaultdict(list)  # {model: measurements of each device}
    for (model, _), own in rows[rows["device_kind"] == "gpu"].groupby(["device", "machine"]):
        models[model].append(own)
    lines = [{"claim": claim.claim} | {f"{model}: median (least to largest; devices)": cell(claim, devices)
                                       for model, devices in models.items()}
             for claim in pandas.read_csv(CLAIMS, dtype=str).itertuples()]
    dates = sorted({run["date"][:10] for run in study.runs.values()})
    rungs = collections.defaultdict(set)  # {commit: CUDA rungs measured}
    for run, rung in rows[rows["backend"] == "cuda"].groupby("run")["rung"]:
        rungs[study.runs[run]["commit"]].update(rung)
    commits = listed(marked(root, commit, rungs[commit]) for commit in sorted({run["commit"] for run in study.runs.values()}))
    note = (f"Float sums, {' to '.join(dict.fromkeys((dates[0], dates[-1])))}, commits {commits}. Records: `core_*.jsonl.gz` and "
            "`overlap.jsonl.gz` in `docs/results`.\n")
    return Table("", "", lines, note)
