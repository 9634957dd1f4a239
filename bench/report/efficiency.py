"""Performance portability: how much of each platform a programming model reaches, in one number.

Pennycook, Sewall, Lee, "Implications of a Metric for Performance Portability" (Future Generation Computer Systems, 2019): the
harmonic mean, over a set of platforms, of the efficiency that is reached on each; zero where one of them is not supported.
Architectural efficiency is the part of the platform's bandwidth, here of the read-only ceiling, which is known for every
platform; application efficiency is the part of the best that any model reached there.
"""

import dataclasses

PROBLEM = ["type", "op", "n", "data", "cache"]  # what is asked of every platform; scope and eviction are the platform's own


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
    """The problem of most bytes that was measured on every platform; nothing where there is none."""
    platforms = rows["platform"].nunique()
    asked = rows.groupby(PROBLEM)["platform"].nunique()
    asked = asked[asked == platforms].reset_index()
    if asked.empty:
        return None
    return asked.sort_values(["n", "cache"], ascending=[False, True]).iloc[0]


def reached(rows):
    """(problem, {model: {platform: Reached}}) on the largest problem that every platform has; (None, {}) where none is."""
    rows = own_rungs(rows)
    if rows.empty:
        return None, {}
    problem = common_problem(rows)
    if problem is None:
        return None, {}
    for name in PROBLEM:
        rows = rows[rows[name] == problem[name]]
    best = rows.loc[rows.groupby("platform")["gbs"].idxmax()].set_index("platform")["gbs"]
    found = {}
    for (model, platform), some in rows.groupby(["model", "platform"], sort=False):
        row = some.loc[some["gbs"].idxmax()]
        architectural = row["of_ceiling"] if row["of_ceiling"] > 0 else 0.0  # unknown counts as not reached
        found.setdefault(model, {})[platform] = Reached(platform, row, architectural, row["gbs"] / best[platform])
    return problem, found


def phi(reached_by, platforms, kind):
    """Of one model, over these platforms; `kind` is "architectural" or "application"."""
    return harmonic_mean(getattr(reached_by[platform], kind) if platform in reached_by else 0.0 for platform in platforms)
