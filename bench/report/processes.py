"""What several fresh processes measured of the same, as one measurement: `ladder --processes=N`."""

import math
import statistics

from . import intervals
from .text import joint

SUMMED_UP = ["count", "wrong", "failed", "time", "p5", "p95", "error", "ulps", "uncertainty", "release_skew"]


def uncertainty_of(one):
    """Of the median of one process, as a part of it (docs/method.md, "Digits and spread"); infinite for a single sample, nothing
    where the record tells too little."""
    if one.get("count") == 1:
        return math.inf
    if one.get("uncertainty") is not None or not all(one.get(name) for name in ("count", "median", "p5", "p95")):
        return one.get("uncertainty")
    return (one["p95"] - one["p5"]) / one["median"] / 3.29 * 1.253 / one["count"] ** 0.5


def time_of(summary):
    """What a process says of how long it takes: the mean of the middle half of its samples. Before there was that, the median."""
    return summary.get("time") or summary.get("midmean") or summary.get("median")


def status_of(summary):
    """Only what every sample found right has a time."""
    if not summary:
        return "unfinished"
    if summary["wrong"]:
        return "wrong"
    if summary["failed"] or summary.get("error") or not summary["count"] or not time_of(summary):
        return "failed"
    return "right"


def median(values):
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def summed(summaries):
    """The summaries of processes as one: counts are added up, of what was measured the median is taken."""
    if len(summaries) == 1:
        return {**summaries[0], "time": time_of(summaries[0]), "uncertainty": uncertainty_of(summaries[0])}
    return {**{name: sum(one[name] for one in summaries) for name in ("count", "wrong", "failed")},
            "time": median(map(time_of, summaries)),
            **{name: median(one.get(name) for one in summaries) for name in ("p5", "p95", "release_skew")},
            "error": next((one["error"] for one in summaries if one.get("error")), None),
            "ulps": max((one["ulps"] for one in summaries if one.get("ulps") is not None), default=None)}


def joined(found):
    """What the summaries of one measurement, {run of a process: its summary}, say together. `by_process` has the times of those
    where it is right, `processes` their number; with two or more `low` and `high` are the ends of the time's interval. `base` and
    `start` are the rungs that the program holds its step and its total against."""
    right = {run: one for run, one in found.items() if status_of(one) == "right"}
    summary = summed(list(found.values())) if found else {}
    first = next(iter(found.values()), {})
    told = {name: summary.get(name) for name in SUMMED_UP} | {
        "base": (first.get("step") or {}).get("versus"), "start": (first.get("cumulative") or {}).get("versus"),
        "status": status_of(summary), "low": None, "high": None,
        "summary_where": tuple(one["where"] for one in found.values())}
    if told["status"] != "right":
        return told | {"time": None, "p5": None, "p95": None, "by_process": {}, "processes": len(right)}
    times = {run: time_of(one) for run, one in right.items()}
    if estimate := intervals.of(times.values()):
        told["uncertainty"], (told["low"], told["high"]) = estimate.uncertainty, estimate.ends
    return told | {"by_process": times, "processes": len(right)}


def of(part, whole):
    return part / whole if part and whole else None


def bandwidths(row, ceilings):
    """Bandwidth, each element counted once, and its parts of the peak and of the ceiling: the best read-only sweep of as many
    bytes in the same process. `ceilings`: {run of a process: the record}. `parts`: of the ceiling, in each process."""
    ceilings = {run: one for run, one in ceilings.items() if run in row["by_process"]} or ceilings
    best = {run: ceiling["gbs"] for run, ceiling in ceilings.items()}
    speeds = {run: row["bytes"] / one / 1e9 for run, one in row["by_process"].items()}
    gbs, top = (row["bytes"] / row["time"] / 1e9 if row["time"] else None), median(best.values())
    ceiling, part = intervals.of(best.values()), intervals.ratio(speeds, best)
    doubt = ceiling.uncertainty if ceiling else next(map(uncertainty_of, ceilings.values()), None)
    return {"gbs": gbs, "of_peak": of(gbs, row["peak_gbs"]), "of_ceiling": part.value if part else of(gbs, top),
            "ceiling_gbs": top, "ceiling_where": tuple(one["where"] for one in ceilings.values()), "ceiling_uncertainty": doubt,
            "of_ceiling_uncertainty": part.uncertainty if part else joint(row["uncertainty"], doubt),
            "parts": {run: speed / best[run] for run, speed in speeds.items() if run in best}}
