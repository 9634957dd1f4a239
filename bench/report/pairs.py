"""What may stand in one ratio, and which measurements stand beside each other: two backends on one problem, rung by rung.

Two measurements are of one problem where machine, device, elements, type, operation, data, cache state, what was evicted and
scope are the same. Where they come from one study besides, their ratio is `interleaved`: in each of its processes both were
sampled in turn, under the same clocks. Else it is of `separate processes`, and said to be.

A pair is one measurement with the columns of the other beside its own, a word behind their names: side() is the other."""

import math

import numpy
import pandas

from . import intervals
from .study import as_rows
from .text import joint

PROBLEM = ["machine", "device", "type", "op", "n", "data", "seed", "cache", "evicted_bytes", "scope"]
NORMAL = 1.96  # times the standard error: half of a 95 % interval
ASKED = ["type", "op", "n", "data", "cache", "scope"]  # of these what was asked for; the others are as they came


def same_problem(one, other):
    """Whether two rows are of one problem; what is known of neither is the same."""
    return all(one[name] == other[name] or (pandas.isna(one[name]) and pandas.isna(other[name])) for name in PROBLEM)


def of_problem(rows, row, names=PROBLEM):
    """Those of the rows that are of the row's problem, as far as these names of it go."""
    for name in names:  # one after the other: each has fewer rows to look at
        rows = rows[rows[name].isna() if pandas.isna(row[name]) else rows[name] == row[name]]
    return rows


def fastest(rows):
    """The best tuning of each rung on each problem in each run."""
    return rows.sort_values("time", kind="stable").drop_duplicates(["run", *PROBLEM, "backend", "rung"])


def ratio(slow, fast):
    """How many times as long one measurement takes as another, and the uncertainty of that as a part of it: half of its interval,
    or where a side has one process that of the samples alone."""
    if found := intervals.ratio(slow["by_process"], fast["by_process"]):
        return found.value, found.uncertainty
    return slow["time"] / fast["time"], joint(slow["uncertainty"], fast["uncertainty"])


def doubt_of(slow, fast):
    """Half of the 95 % interval of that ratio, as a part of it: of processes, or of samples alone, which say less; nothing where
    it is not known."""
    doubt = ratio(slow, fast)[1]
    if doubt is None or not math.isfinite(doubt):
        return None
    return doubt if intervals.ratio(slow["by_process"], fast["by_process"]) else NORMAL * doubt


def ratios(found, word):
    """The same of each row of a table of pairs, the row's own time by that of the other side: two columns."""
    both = [ratio(pair, side(pair, word)) for pair in as_rows(found)]
    return numpy.array(both, dtype=float).reshape(-1, 2).T


def ends(old, new, samples, draws=intervals.DRAWS):
    """The 95 % interval of the new measurement's time by the old one's: between processes; where a side has one, bootstrapped
    from the samples of both sides."""
    if found := intervals.ratio(new["by_process"], old["by_process"]):
        return found.ends
    return intervals.bootstrap(*samples, numpy.random.default_rng(1), draws)


def beside(rows, others, same, word):
    """Pairs of a row and each other one that is alike in the columns `same`. One of one process is `interleaved`."""
    columns = dict.fromkeys([*same, "run", "id", "backend", "rung", "name", "time", "by_process", "processes", "uncertainty",
                             "summary_where"])
    found = rows.merge(others[list(columns)], on=same, suffixes=("", word))
    return found.assign(interleaved="run" in same or found["run"] == found["run" + word])


def side(pair, word):
    """The other one of a pair."""
    return {name: pair.get(name + word, value) for name, value in pair.items()}


def pairs(rows, native, others):
    """The right measurements of the native backend and of each other one on one problem and rung side by side, the other's
    columns with `_other` behind; the best tuning of each side. A pair of one process is `interleaved`, and goes before one of
    two."""
    left, right = (fastest(rows[rows["backend"].isin(backends)]) for backends in ([native], others))
    found = beside(left, right, [*PROBLEM, "rung"], "_other")
    found["part"], found["part_uncertainty"] = ratios(found, "_other")  # other's speed as a part of native's
    found = found.sort_values(["interleaved", "run"], ascending=False, kind="stable")
    return found.drop_duplicates([*PROBLEM, "rung", "backend_other"])
