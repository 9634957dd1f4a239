"""Performance portability: how much of each platform a programming model reaches, in one number.

Pennycook, Sewall, Lee, "Implications of a Metric for Performance Portability" (Future Generation Computer Systems, 2019): the
harmonic mean, over a set of platforms, of the efficiency that is reached on each; zero where one of them is not supported.
Where one is supported and was not measured it is unknown.
Architectural efficiency is the part of the platform's bandwidth, here of the read-only ceiling, which is known for every
platform; application efficiency is the part of the best that any model reached there.
"""

import math

from .cells import quotient
from .comparable import of_problem
from .text import missing

PROBLEM = ["type", "op", "n", "data", "cache"]  # what is asked of every platform; scope and eviction are the platform's own

# Where a model's backends run, by the beginning of the memory space's name; a model that is not named here, anywhere.
RUNS_ON = {"cuda": ("cuda",), "hip": ("cuda", "hip"), "cpu": ("host",)}


def reached(rows):
    """(problem, {model: {platform: what its best rung reaches}}, {platform: memory space}) of right measurements of rungs, on
    the problem that speaks for all platforms: of those measured on every one that which the most models have, then the largest;
    nothing where there is none. An efficiency has its relative uncertainty beside it. A platform is a device, in its own scope:
    device time where there is a device, else the host's."""
    rows = rows[(rows["scope"] == "kernel") | (rows["device_kind"] == "cpu")]
    rows = rows.assign(model=rows["backend"].str.split("/").str[0])  # kokkos/cuda and kokkos/openmp are both Kokkos
    asked = rows.drop_duplicates([*PROBLEM, "device", "model"]).groupby(PROBLEM).agg(
        devices=("device", "nunique"), models=("model", "size")).reset_index()
    asked = asked[asked["devices"] == rows["device"].nunique()]
    if asked.empty:
        return None, {}, {}
    problem = asked.sort_values(["models", "n", "cache"], ascending=[False, False, True]).iloc[0]
    rows = of_problem(rows, problem, PROBLEM)
    best, found = rows.loc[rows.groupby("device")["gbs"].idxmax()].set_index("device"), {}
    for _, row in rows.loc[rows.groupby(["model", "device"], sort=False)["gbs"].idxmax()].iterrows():
        found.setdefault(row["model"], {})[row["device"]] = {
            "row": row, "architectural": (row["of_ceiling"], row["of_ceiling_uncertainty"]),
            "application": quotient(best.loc[row["device"]], row)}
    return problem, found, dict(zip(rows["device"], rows["space"], strict=True))


def supported(model, space):
    return space.startswith(RUNS_ON.get(model, ("",)))


def on_all(model, by, spaces, kind):
    """A model's efficiency on each platform: 0 where it does not run there, NaN where it does and is not known. `kind` is
    "architectural" or "application"."""
    return [by[platform][kind] if platform in by else (math.nan, None) if supported(model, space) else (0.0, None)
            for platform, space in spaces.items()]


def phi(parts):
    """The harmonic mean of one model's efficiencies: zero where one of them is, NaN where one is not known and none is zero."""
    parts = list(parts)
    if not all(value for value, _ in parts):
        return 0.0, None
    inverse = sum(1 / value for value, _ in parts)
    doubts = [uncertainty / value for value, uncertainty in parts if not missing(uncertainty)]
    return len(parts) / inverse, math.hypot(*doubts) / inverse
