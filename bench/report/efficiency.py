"""Performance portability: how much of each platform a programming model reaches, in one number.

Pennycook, Sewall, Lee, "Implications of a Metric for Performance Portability" (Future Generation Computer Systems, 2019): the
harmonic mean, over a set of platforms, of the efficiency that is reached on each; zero where one of them is not supported.
Where one is supported and was not measured it is unknown.
Architectural efficiency is the part of the platform's bandwidth, here of the read-only ceiling, which is known for every
platform; application efficiency is the part of the best that any model reached there.
"""

import dataclasses
import math

PROBLEM = ["type", "op", "n", "data", "cache"]  # what is asked of every platform; scope and eviction are the platform's own


# Where a model's backends run, by the beginning of the memory space's name; a model that is not named here, anywhere.
RUNS_ON = {"cuda": ("cuda",), "hip": ("cuda", "hip"), "cpu": ("host",)}


@dataclasses.dataclass(frozen=True)
class Reached:
    """What a model's best rung reaches on a platform."""

    platform: str
    row: object  # of the measurements
    architectural: float
    application: float


def model_of(backend):
    """A model may be another backend on each platform: kokkos/cuda and kokkos/openmp are both Kokkos."""
    return backend.split("/")[0]


def harmonic_mean(parts):
    """Zero where a part is zero, or there is none."""
    parts = list(parts)
    return len(parts) / sum(1 / part for part in parts) if parts and all(part > 0 for part in parts) else 0.0


def own_rungs(rows):
    """Right measurements of rungs, in the scope of their platform: device time where there is a device, else the host's."""
    rows = rows[(rows["status"] == "right") & ~rows["library"].astype(bool)]
    rows = rows[(rows["scope"] == "kernel") | (rows["device_kind"] == "cpu")]
    return rows.assign(model=rows["backend"].map(model_of), platform=rows["device"])


def common_problem(rows):
    """Of the problems that were measured on every platform the one that the most models have, then the largest; nothing where
    there is none."""
    asked = rows.drop_duplicates([*PROBLEM, "platform", "model"]).groupby(PROBLEM).agg(
        platforms=("platform", "nunique"), models=("model", "size")).reset_index()
    asked = asked[asked["platforms"] == rows["platform"].nunique()]
    if asked.empty:
        return None
    return asked.sort_values(["models", "n", "cache"], ascending=[False, False, True]).iloc[0]


def reached(rows):
    """(problem, {model: {platform: Reached}}, {platform: memory space}) on the problem that speaks for all platforms; the
    problem is nothing where there is none."""
    rows = own_rungs(rows)
    problem = None if rows.empty else common_problem(rows)
    if problem is None:
        return None, {}, {}
    for name in PROBLEM:
        rows = rows[rows[name] == problem[name]]
    best = rows.groupby("platform")["gbs"].max()
    found = {}
    for (model, platform), some in rows.groupby(["model", "platform"], sort=False):
        row = some.loc[some["gbs"].idxmax()]
        found.setdefault(model, {})[platform] = Reached(platform, row, row["of_ceiling"], row["gbs"] / best[platform])
    return problem, found, dict(zip(rows["platform"], rows["memory_space"]))


def supported(model, space):
    return space.startswith(RUNS_ON.get(model, ("",)))


def on_all(model, by, spaces, kind):
    """A model's efficiency on each platform: 0 where it does not run there, NaN where it does and is not known. `kind` is
    "architectural" or "application"."""
    return [getattr(by[platform], kind) if platform in by else math.nan if supported(model, space) else 0.0
            for platform, space in spaces.items()]


def phi(parts):
    """Of one model's efficiencies: zero where one of them is, NaN where one is not known and none is zero."""
    parts = list(parts)
    return harmonic_mean(parts) if 0.0 in parts or not any(map(math.isnan, parts)) else math.nan
