"""Performance portability: one number for how much of each platform a programming model reaches; a table and its cascade.

Pennycook, Sewall, Lee, "Implications of a Metric for Performance Portability" (Future Generation Computer Systems, 2019): the
harmonic mean of the efficiencies over a set of platforms. It is zero if a platform is not supported, and unknown if a supported
platform was not measured. Architectural efficiency is the fraction of the platform's bandwidth, here of the read-only ceiling,
which is known for every platform. Application efficiency is relative to the best that any model reached there.

The interval follows by the delta method from the independent intervals of the efficiencies, one device each. It is missing if
one efficiency is from a single process.
"""

import math
import textwrap

import numpy

from .. import cells, intervals
from ..charts import DASHES, INK, Line, axis, colour_of_backend, finish, lines_chart, point
from ..named import NATIVE
from ..pairs import of_problem
from ..parts import Cell, Table, section_of
from ..text import elements, interval_text, number, percent
from ..view import model_of_device
from .models import MODELS, model_of, name_of_model

KINDS = ("architectural", "application")
PROBLEM = ["type", "op", "n", "data", "cache"]  # common to all platforms; scope and eviction are the platform's own
ANY = "native (CUDA on NVIDIA, HIP on AMD, the CPU's own ladder)"


def native_on(space):
    """Native model of a platform, by its memory space."""
    kind = space.partition(":")[0]
    return kind if kind in NATIVE else "cpu"


def supported(model, space):
    """True if a space supports a model: a vendor's on its devices, HIP on NVIDIA's too; all others, and native, anywhere."""
    return model not in NATIVE or model == native_on(space) or (model, native_on(space)) == ("hip", "cuda")


def digits(part):
    return number(part.value, part.uncertainty if part.known else None, 3 if part.known else 2)


def text(part):
    """The value, with its interval if known."""
    return digits(part) + (f" ({interval_text(*part.ends)})" if part.known else "")


def reached(rows):
    """(problem, {model: {platform: its best row, with the efficiency of each kind}}, {platform: memory space}) from right
    measurements of rungs: the problem that the most models on the most platforms have, then the largest. All are empty if no
    two platforms have one. A platform is the device of its kind with the most models, in its own scope: device time if it has a
    timer, else the host's."""
    rows = rows[((rows["scope"] == "kernel") | (rows["device_kind"] == "cpu")) & rows["of_ceiling"].notna()]
    rows = rows.assign(model=rows["backend"].map(model_of),  # kokkos/cuda and kokkos/openmp are both Kokkos
                       kind=rows["device"].map(model_of_device))
    rows = rows[rows["model"].isin(list(MODELS))]  # not several devices at once
    asked = rows.drop_duplicates([*PROBLEM, "kind", "model"]).groupby(PROBLEM).agg(
        kinds=("kind", "nunique"), models=("model", "size")).reset_index()
    asked = asked[asked["kinds"] > 1].sort_values(["models", "n", "cache"], ascending=[False, False, True])
    if asked.empty:
        return None, {}, {}
    problem = asked.iloc[0]
    rows = of_problem(rows, problem, PROBLEM)
    models = rows.groupby("device")["model"].transform("nunique").sort_values(ascending=False, kind="stable")
    rows = rows[rows["device"].isin(rows.loc[models.index].drop_duplicates("kind")["device"])]
    best, found = rows.loc[rows.groupby("device")["gbs"].idxmax()].set_index("device"), {}
    for _, row in rows.loc[rows.groupby(["model", "device"], sort=False)["gbs"].idxmax()].iterrows():
        top = best.loc[row["device"]]
        found.setdefault(row["model"], {})[row["device"]] = row.to_dict() | {
            "architectural": intervals.of(row["parts"].values()) or intervals.alone(row["of_ceiling"]),
            "application": (intervals.ratio(top["by_process"], row["by_process"])
                            or intervals.alone(top["time"] / row["time"]))}
    spaces = dict(zip(rows["device"], rows["space"], strict=True))
    native = {device: found[native_on(space)][device] for device, space in spaces.items()
              if device in found.get(native_on(space), {})}
    return problem, found | ({"native": native} if native else {}), spaces


def on_all(model, by, spaces, kind):
    """Efficiencies of a model on each platform: 0 if unsupported, NaN if supported but unknown. `kind` is "architectural" or
    "application"."""
    return [by[platform][kind] if platform in by else intervals.alone(math.nan if supported(model, space) else 0.0)
            for platform, space in spaces.items()]


def platform_cell(model, by, platform, space):
    if platform not in by:
        return Cell("not measured" if supported(model, space) else "not supported", None, (), "low")
    row, part = by[platform], by[platform]["application"]
    of_best = percent(part.value, part.uncertainty if part.known else row["uncertainty"])
    return Cell(f"{cells.of_ceiling(row, after=' %').text or 'unknown'}, {of_best} % ({row['rung']})", part.value,
                cells.trace_of(row))


def table_of(problem, found, spaces):
    phis = {model: [intervals.harmonic(on_all(model, by, spaces, kind)) for kind in KINDS] for model, by in found.items()}
    lines, rows = [], [row for by in found.values() for row in by.values()]
    for model in sorted(found, key=lambda model: -numpy.nan_to_num(phis[model][-1].value)):  # sorted by Φ application
        trace = cells.trace_of(*found[model].values())
        lines.append({"application": Cell(ANY if model == "native" else name_of_model(model), model),
                      **{f"Φ {kind}": Cell(text(part) or "unknown", part.value, trace)
                         for kind, part in zip(KINDS, phis[model], strict=True)},
                      **{platform: platform_cell(model, found[model], platform, space) for platform, space in spaces.items()}})
    title = f"Performance portability: {rows[0]['words']} {problem['op']}, n = {elements(problem['n'])}, {problem['cache']}"
    return Table("performance-portability", title, lines,
                 "An application is what is maintained to run everywhere: a model, or native. Φ: harmonic mean over these "
                 "platforms, zero where one is not supported (Pennycook, Sewall, Lee). Architectural: of the read-only ceiling. "
                 "Application: of the best that any model reached there. Under each platform first the one, then the other. "
                 "Each application's best rung, of whichever process; device time on a GPU, wall time on a CPU."
                 + cells.of_processes([row["processes"] for row in rows]))


def cascade(found, spaces):
    """Efficiency of each application, from its best platform to its worst, and Φ over those so far (Sewall et al., 2020)."""
    letters = dict(zip(spaces, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", strict=False))
    told, shown = [], []
    for shift, (model, by) in enumerate(found.items()):
        parts = dict(zip(spaces, on_all(model, by, spaces, "architectural"), strict=True))
        if any(math.isnan(part.value) for part in parts.values()):
            told.append(f"{model}: not known on all of them.")
            continue
        down = sorted(parts.items(), key=lambda item: item[1].value, reverse=True)
        phis = [intervals.harmonic([part for _, part in down[:place]]) for place in range(1, len(down) + 1)]
        colour = INK if model == "native" else colour_of_backend(next(iter(by.values()))["backend"])
        across = [place + 0.04 * (shift - len(found) / 2) for place in range(1, len(down) + 1)]  # shifted apart
        shown += [Line(model, [point(at, part.value, label=letters[platform])
                               for at, (platform, part) in zip(across, down, strict=True)], colour),
                  Line(f"{model}: Φ of those so far", [point(at, part.value) for at, part in zip(across, phis, strict=True)],
                       colour, DASHES[2], dots=False)]
        told.append(f"{model}: {', '.join(f'{digits(part)} on {platform}' for platform, part in down)}; Φ {text(phis[-1])}.")
    letters_told = textwrap.wrap("; ".join(f"{letter}: {platform}" for platform, letter in letters.items()), 70)
    across = axis(["platforms, from an application's best to its worst", *letters_told],
                  values=list(range(1, len(spaces) + 1)), domain=[0.8, len(spaces) + 0.2])
    title = f"Cascade: efficiency of the ceiling over {len(spaces)} platforms"
    return finish(lines_chart(shown, across, axis("part of the ceiling", domain=[0, 1.12])), "cascade-architectural", title, told)


def section(view):
    """The table and the cascade; None if no problem was measured on two platforms."""
    rows = view.standing[(view.standing["sort"] == "rung") & view.standing["device"].isin(view.whole)]
    problem, found, spaces = reached(rows)
    if problem is None:
        return None
    return section_of("phi", "Performance portability",
                      "One number for each model: the part of the hardware that it reaches, over platforms with one problem.", [
                          table_of(problem, found, spaces), cascade(found, spaces)])
