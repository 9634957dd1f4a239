"""Merges what several fresh processes of a study measured into one measurement: `ladder --processes=N`."""

import math
import statistics

from . import intervals
from .text import joint


def uncertainty_of(one):
    """Relative standard error of a process's result; infinite for a single sample. For old ceilings it is derived from the
    percentiles (docs/method.md, "Digits and spread"); None without either."""
    if one.get("count") == 1:
        return math.inf
    if one.get("uncertainty") is not None or not all(one.get(name) for name in ("count", "median", "p5", "p95")):
        return one.get("uncertainty")
    return (one["p95"] - one["p5"]) / one["median"] / 3.29 * 1.253 / one["count"] ** 0.5


def time_of(summary):
    """Time of a process: the mean of the middle half of its samples, in old records the median."""
    return summary.get("midmean") or summary.get("median")


def status_of(summary):
    """Status of a summary; a measurement has a time only if all its samples are right."""
    if not summary:
        return "unfinished"
    if summary["wrong"]:
        return "wrong"
    if summary["failed"] or summary.get("error") or not summary["count"] or not time_of(summary):
        return "failed"
    return "right"


def median(values):
    return statistics.median(values) if values else None


def summed(summaries):
    """Merges the summaries of processes: sums of counts, medians of measured values."""
    def told(name):
        return [one[name] for one in summaries if one.get(name) is not None]

    return {**{name: sum(told(name)) for name in ("count", "wrong", "failed")},
            **{name: median(told(name)) for name in ("p5", "p95", "release_skew")},
            "midmean": median([*filter(None, map(time_of, summaries))]), "error": next(filter(None, told("error")), None),
            "ulps": max(told("ulps"), default=None), "uncertainty": uncertainty_of(summaries[0]) if len(summaries) == 1 else None}


def joined(found):
    """Merges the summaries of one measurement, {run of a process: its summary}. `by_process`: times of the right ones,
    `processes` their number; from two on `low` and `high` are the ends of the time's interval. `base` and `start`: the rungs
    that the program compares step and total with."""
    summary, first = summed(list(found.values())) if found else {}, next(iter(found.values()), {})
    times = {run: time_of(one) for run, one in found.items() if status_of(one) == "right"}
    told = {name: summary.get(name) for name in ("count", "wrong", "failed", "error", "ulps", "uncertainty", "release_skew")} | {
        "base": (first.get("step") or {}).get("versus"), "start": (first.get("cumulative") or {}).get("versus"),
        "status": status_of(summary), "processes": len(times), "time": None, "p5": None, "p95": None, "by_process": {},
        "low": None, "high": None, "summary_where": tuple(one["where"] for one in found.values())}
    if told["status"] != "right":
        return told
    if estimate := intervals.of(times.values()):
        told["uncertainty"], (told["low"], told["high"]) = estimate.uncertainty, estimate.ends
    return told | {"time": summary["midmean"], "p5": summary["p5"], "p95": summary["p95"], "by_process": times}


def part_of(value, whole):
    return value / whole if value and whole else None


def bandwidths(row, ceilings):
    """Bandwidth, each element counted once, and its fraction of peak and ceiling: the best read-only sweep of the same bytes in
    the same process. `ceilings`: {run of a process: the record}. `parts`: fraction of the ceiling per process."""
    ceilings = {run: one for run, one in ceilings.items() if run in row["by_process"]} or ceilings
    best = {run: ceiling["gbs"] for run, ceiling in ceilings.items()}
    speeds = {run: row["bytes"] / one / 1e9 for run, one in row["by_process"].items()}
    gbs, top = (row["bytes"] / row["time"] / 1e9 if row["time"] else None), median(best.values())
    ceiling, part = intervals.of(best.values()), intervals.ratio(speeds, best)
    doubt = ceiling.uncertainty if ceiling else next(map(uncertainty_of, ceilings.values()), None)
    return {"gbs": gbs, "of_peak": part_of(gbs, row["peak_gbs"]), "of_ceiling": part.value if part else part_of(gbs, top),
            "ceiling_gbs": top, "ceiling_where": tuple(one["where"] for one in ceilings.values()), "ceiling_uncertainty": doubt,
            "of_ceiling_uncertainty": part.uncertainty if part else joint(row["uncertainty"], doubt),
            "parts": {run: speed / best[run] for run, speed in speeds.items() if run in best}}
