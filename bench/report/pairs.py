"""Which measurements are comparable, and pairs of them: two backends on one problem, rung by rung.

Two measurements have the same problem if machine, device, elements, type, operation, data, cache state, evicted bytes and scope
match. Within one study each process sampled both in turn, under the same clocks. Otherwise their ratio is marked as of
`separate processes`."""

import math

from . import intervals
from .study import as_rows
from .text import joint, missing

PROBLEM = ["machine", "device", "type", "op", "n", "data", "seed", "cache", "evicted_bytes", "scope"]
NORMAL = 1.96  # half of a 95 % interval, in standard errors
ASKED = ["type", "op", "n", "data", "cache", "scope"]  # the part of PROBLEM that the user chose


def key_of(row, *more):
    """Key of a row's problem, and of more columns, for look-ups; two unknown values are equal."""
    return tuple(None if missing(row[name]) else row[name] for name in (*PROBLEM, *more))


def of_problem(rows, row, names=PROBLEM):
    """The rows that match the row's problem in the columns `names`."""
    for name in names:  # successively: each step has fewer rows left
        rows = rows[rows[name].isna() if missing(row[name]) else rows[name] == row[name]]
    return rows


def fastest(rows):
    """Best tuning of each rung on each problem in each run, fastest first."""
    return rows.sort_values("time", kind="stable").drop_duplicates(["run", *PROBLEM, "backend", "rung"])


def ratio(slow, fast):
    """(ratio of times, its relative uncertainty, ends of its 95 % interval, None if unknown). The interval is that between
    processes, the uncertainty half of it; with one process on a side both are of the samples alone, which is weaker evidence."""
    if found := intervals.ratio(slow["by_process"], fast["by_process"]):
        return found.value, found.uncertainty, found.ends
    value, doubt = slow["time"] / fast["time"], joint(slow["uncertainty"], fast["uncertainty"])
    reach = math.exp(NORMAL * doubt) if doubt is not None and math.isfinite(doubt) else None
    return value, doubt, reach and (value / reach, value * reach)


def pairs(native, others):
    """(row of the native model, row of another on the same problem and rung), the best tuning of each; from one process if
    possible, else from the latest native run."""
    natives = {}
    for row in as_rows(fastest(native)):
        natives.setdefault(key_of(row, "rung"), []).append(row)
    found = [(row, other) for other in as_rows(fastest(others)) for row in natives.get(key_of(other, "rung"), ())]
    found.sort(key=lambda pair: (pair[0]["run"] == pair[1]["run"], pair[0]["run"]), reverse=True)
    return list({key_of(other, "rung", "backend"): (row, other) for row, other in reversed(found)}.values())
