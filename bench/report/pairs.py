"""What may stand in one ratio, and which measurements stand beside each other: two backends on one problem, rung by rung.

Two measurements are of one problem where machine, device, elements, type, operation, data, cache state, what was evicted and
scope are the same. Where they come from one study besides, in each of its processes both were sampled in turn, under the same
clocks. Else their ratio is of `separate processes`, and said to be."""

import math

from . import intervals
from .study import as_rows
from .text import joint, missing

PROBLEM = ["machine", "device", "type", "op", "n", "data", "seed", "cache", "evicted_bytes", "scope"]
NORMAL = 1.96  # times the standard error: half of a 95 % interval
ASKED = ["type", "op", "n", "data", "cache", "scope"]  # of these what was asked for; the others are as they came


def key_of(row, *more):
    """A row's problem, and more columns, to look others up by; what is known of neither is the same."""
    return tuple(None if missing(row[name]) else row[name] for name in (*PROBLEM, *more))


def of_problem(rows, row, names=PROBLEM):
    """Those of the rows that are of the row's problem, as far as these names of it go."""
    for name in names:  # one after the other: each has fewer rows to look at
        rows = rows[rows[name].isna() if missing(row[name]) else rows[name] == row[name]]
    return rows


def fastest(rows):
    """The best tuning of each rung on each problem in each run, the fastest first."""
    return rows.sort_values("time", kind="stable").drop_duplicates(["run", *PROBLEM, "backend", "rung"])


def ratio(slow, fast):
    """How many times as long one measurement takes as another, and the uncertainty of that as a part of it: half of its interval,
    or where a side has one process that of the samples alone."""
    if found := intervals.ratio(slow["by_process"], fast["by_process"]):
        return found.value, found.uncertainty
    return slow["time"] / fast["time"], joint(slow["uncertainty"], fast["uncertainty"])


def ends(slow, fast):
    """The 95 % interval of that ratio: between processes; where a side has one, of the samples alone, which say less; nothing
    where it is not known."""
    if found := intervals.ratio(slow["by_process"], fast["by_process"]):
        return found.ends
    value, doubt = ratio(slow, fast)
    if doubt is None or not math.isfinite(doubt):
        return None
    return value * math.exp(-NORMAL * doubt), value * math.exp(NORMAL * doubt)


def pairs(native, others):
    """(row of the native model, row of another on the same problem and rung), the best tuning of each side; of one process where
    there are such, else of the latest native run."""
    natives = {}
    for row in as_rows(fastest(native)):
        natives.setdefault(key_of(row, "rung"), []).append(row)
    found = [(row, other) for other in as_rows(fastest(others)) for row in natives.get(key_of(other, "rung"), ())]
    found.sort(key=lambda pair: (pair[0]["run"] == pair[1]["run"], pair[0]["run"]), reverse=True)
    return list({key_of(other, "rung", "backend"): (row, other) for row, other in reversed(found)}.values())
