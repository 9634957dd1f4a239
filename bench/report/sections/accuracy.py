"""Accuracy and determinism: how far each rung is from the exact result where results are rounded, and whether it repeats it."""

import pathlib

from ..cells import named, note_of_cubs, trace_of
from ..charts import axis, colour_of_backend, finish, label_of, rows_chart
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows, fullest_run
from ..text import elements, missing, number
from ..view import ladder_order

ROUNDOFF = {"f32": 2.0 ** -24, "f64": 2.0 ** -53, "f16": 2.0 ** -24, "bf16": 2.0 ** -24}  # of what carries a sum
ROUNDED = ["sum", "product"]
TABLE = ["device", "backend", "type", "op", "n", "data"]  # what a table is of
VACUOUS = 0.01  # of k·u: from there on the bound says next to nothing
NOTE = ("Depth k: the longest chain of additions. Bound: γ = ku / (1 − ku) of Σ|x|, u the unit roundoff. Error: the largest "
        "that any sample had against the exact result, in units in the last place; up to 0.5 is as near as the type can be. "
        "Results: the different ones among the samples of one tuning; over tunings: among those of all tunings of the rung in "
        "this run.")


def rounded(view):
    """The measurements whose results are rounded, of one run for each table: the one with the most rungs, then the latest. What
    differs in scope or cache state alone has the same results and is one. Several files of data are several tables."""
    rows = view.right
    rows = rows[(rows["data"] != "exact") & (rows["sort"] != "variant")]
    rows = rows[rows["type"].isin(list(ROUNDOFF)) & rows["op"].isin(ROUNDED)]
    for key, all_files in rows.groupby(TABLE, sort=False):
        files = list(all_files.groupby("file", sort=True))
        for file, group in files:
            data = key[-1] if len(files) == 1 else f"file {pathlib.PurePath(file).stem}"
            yield (*key[:-1], data), [row | {"data": data} for row in ordered(view, fullest_run(group, "rung"))]


def ordered(view, rows):
    """Along the ladder, each tuning with what its samples say."""
    groups = {}
    for row in as_rows(ladder_order(rows)):
        groups.setdefault((row["rung"], row["tuning"], None if missing(row["seed"]) else row["seed"]), []).append(row)
    found = []
    for same in groups.values():
        results = [view.study.results.get((row["run"], row["id"])) for row in same]
        found.append(same[0] | {
            "ulps": max((row["ulps"] for row in same if not missing(row["ulps"])), default=None), "trace": trace_of(*same),
            "samples": sum(row["samples"] for row in same), "results": set().union(*results) if all(results) else None})
    return found


def verdict_of(row):
    if not row["results"] or row["samples"] < 2:
        return "unknown"
    return "deterministic" if len(row["results"]) == 1 else "varies"


def bound_of(row):
    """(γ, or nothing where it is vacuous or the depth is not known; how it is said)."""
    if missing(row["depth"]):
        return None, "unknown"
    ku = row["depth"] * ROUNDOFF[row["type"]]
    return (None, "vacuous") if ku > VACUOUS else (ku / (1 - ku), f"{ku / (1 - ku):.2g}")


def over_tunings(row, rows):
    """Whether the tunings of a rung have one result."""
    same = [one["results"] for one in rows if one["rung"] == row["rung"] and one["seed"] == row["seed"]]
    if len(same) < 2:
        return "one tuning"
    if not all(same):
        return "unknown"
    count = len(set().union(*same))
    return f"the same in all {len(same)}" if count == 1 else f"{count} results in {len(same)}"


def table_of(key, rows):
    lines, unknown = [], Cell("unknown")
    for row in rows:
        bound, said = bound_of(row)
        where, verdict = (row["where"],), verdict_of(row)
        both = (*where, *row["trace"])
        found = f"{len(row['results'] or ())} of {row['samples']}" + ": the same each time" * (verdict == "deterministic")
        lines.append([named(row), Cell(row["tuning"]),
                      unknown if missing(row["depth"]) else Cell(f"{row['depth']:.0f}", int(row["depth"]), where),
                      Cell(said, bound, where),
                      unknown if row["ulps"] is None else Cell(ulps_text(row), row["ulps"], row["trace"]),
                      Cell(found, len(row["results"]), both) if row["results"] else unknown,
                      Cell(over_tunings(row, rows), None, both),
                      Cell(verdict, verdict, both, {"deterministic": "good", "varies": "low"}.get(verdict, ""))])
    return Table(name_of("accuracy", *key), f"Accuracy of {key[1]} on {key[0]}: {problem_of(rows[0])}",
                 ["rung", "tuning", "depth", "bound", "error, ulps", "results", "over tunings", "verdict"], lines,
                 NOTE + note_of_cubs(rows))


def problem_of(row):
    return f"{row['words']} {row['op']}, n = {elements(row['n'])}, {row['data']} data"


def ulps_text(row):
    return number(row["ulps"], None, 3)


def drawn(device, found):
    """The error of each rung, a dot for each tuning of each backend; open where the result varies. `found`: of one problem."""
    key = found[0][0]
    rows = [row for _, some in found for row in some if row["ulps"] is not None]
    if not rows:
        return None
    backends = list(dict.fromkeys(row["backend"] for row in rows))
    down = sorted(rows, key=lambda row: (row["sort"] == "library", row["rung"]))
    dots = [{"name": label_of(row["name"]), "series": row["backend"], "x": float(row["ulps"]),
             "open": verdict_of(row) == "varies", "text": f"{ulps_text(row)} ulps, {row['tuning']}: {verdict_of(row)}"}
            for row in down]
    x = axis("largest error, units in the last place (open: not the same each time)",
             values=[0, 0.1, 0.5, *(10 ** power for power in range(9))], type="symlog", constant=0.1, domainMin=0)
    chart = rows_chart(dots, x, {backend: colour_of_backend(backend) for backend in backends}, row_height=7, dots=True)
    title = f"Largest error on {device}: {problem_of(rows[0])}"
    words = []
    for backend in backends:
        some = [row for row in rows if row["backend"] == backend]
        least, most = min(some, key=lambda row: row["ulps"]), max(some, key=lambda row: row["ulps"])
        words.append(f"{backend}: from {ulps_text(least)} ulps, {least['name']}, to {ulps_text(most)}, {most['name']}.")
    return finish(chart, name_of("ulps", device, *key[2:]), title, words)


def section(view):
    """A table for each backend and problem; a figure for each problem, at the largest size that most backends have."""
    found = sorted(rounded(view), key=lambda one: (view.devices.index(one[0][0]), one[0][1:4], one[0][5], -one[0][4]))
    problems, tables = {}, []
    for one in found:
        device, _, kind, op, n, data = one[0]
        problems.setdefault((device, kind, op, data), {}).setdefault(n, []).append(one)
        tables.append(table_of(*one))
    figures = [drawn(device, max(by_n.items(), key=lambda item: (len(item[1]), item[0]))[1])
               for (device, *_), by_n in problems.items()]
    return section_of("accuracy", "Accuracy and determinism",
                      "Results of inexact data are rounded: the order of the additions decides the error. Atomics and schedulers "
                      "combine in the order of arrival, so results can vary.",
                      tables + figures)
