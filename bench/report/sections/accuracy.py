"""Accuracy and determinism: the error of each rung if results are rounded, and whether results repeat."""

import pathlib

from ..cells import named, note_of_cubs, trace_of
from ..charts import axis, colour_of_backend, finish, label_of, rows_chart
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows, fullest_run
from ..text import elements, missing, number
from ..view import ladder_order
from .ladder import asked_of

ROUNDOFF = {"f32": 2.0 ** -24, "f64": 2.0 ** -53, "f16": 2.0 ** -24, "bf16": 2.0 ** -24}  # of the sum's accumulator
ROUNDED = ["sum", "product"]
PROBLEM = ["device", "backend", "type", "op", "n", "data"]
VACUOUS = 0.01  # limit of k·u: above it the bound is nearly meaningless
COLOURED = {"deterministic": "good", "varies": "low"}
UNKNOWN = Cell("unknown")
NOTE = ("Depth k: the longest chain of additions. Bound: γ = ku / (1 − ku) of Σ|x|, u the unit roundoff. Error: the largest "
        "that any sample had against the exact result, in units in the last place; up to 0.5 is as near as the type can be. "
        "Results: the different ones among the samples of one tuning; over tunings: among those of all tunings of the rung in "
        "this run.")


def rounded(view):
    """Yields measurements with rounded results, from one run per problem: the one with the most rungs, then the latest. Rows
    that differ only in scope or cache state have the same results and are merged. Each data file is a separate problem."""
    rows = view.right
    rows = rows[(rows["data"] != "exact") & (rows["sort"] != "variant")]
    rows = rows[rows["type"].isin(list(ROUNDOFF)) & rows["op"].isin(ROUNDED)]
    for key, all_files in rows.groupby(PROBLEM, sort=False):
        files = list(all_files.groupby("file", sort=True))
        for file, group in files:
            data = key[-1] if len(files) == 1 else f"file {pathlib.PurePath(file).stem}"
            yield (*key[:-1], data), [row | {"data": data} for row in ordered(view, fullest_run(group, "rung"))]


def ordered(view, rows):
    """Rows along the ladder, one per tuning, with the statistics of its samples."""
    found = []
    for _, same in ladder_order(rows).groupby(["rung", "tuning", "seed"], dropna=False, sort=False):
        results = [view.study.results.get(key) for key in zip(same["run"], same["id"], strict=True)]
        results, taken = set().union(*results) if all(results) else set(), same["samples"].sum()
        verdict = "unknown" if not results or taken < 2 else "deterministic" if len(results) == 1 else "varies"
        alike = as_rows(same)
        found.append(alike[0] | {"ulps": same["ulps"].max(), "trace": trace_of(*alike), "samples": taken, "results": results,
                                 "verdict": verdict})
    return found


def bound_of(row):
    """Cell of the error bound γ: may be vacuous, or unknown without a depth."""
    if missing(row["depth"]):
        return UNKNOWN
    ku, where = row["depth"] * ROUNDOFF[row["type"]], (row["where"],)
    return Cell("vacuous", None, where) if ku > VACUOUS else Cell(f"{ku / (1 - ku):.2g}", ku / (1 - ku), where)


def over_tunings(row, rows):
    """Text on whether the tunings of a rung have the same result."""
    same = [one["results"] for one in rows if one["rung"] == row["rung"] and one["seed"] == row["seed"]]
    if len(same) < 2:
        return "one tuning"
    if not all(same):
        return "unknown"
    count = len(set().union(*same))
    return f"the same in all {len(same)}" if count == 1 else f"{count} results in {len(same)}"


def line_of(row, rows):
    where, depth, results, verdict = (row["where"],), row["depth"], row["results"], row["verdict"]
    both = where + row["trace"]
    found = f"{len(results)} of {row['samples']}" + (f": {verdict}" if row["samples"] > 1 else "")
    return asked_of(row, "cache", "scope") | {
        "backend": row["backend"], "rung": named(row), "tuning": row["tuning"],
        "depth": UNKNOWN if missing(depth) else Cell(f"{depth:.0f}", int(depth), where), "bound": bound_of(row),
        "error, ulps": UNKNOWN if missing(row["ulps"]) else Cell(ulps_text(row), row["ulps"], row["trace"]),
        "results": Cell(found, len(results), both, COLOURED.get(verdict, "")) if results else UNKNOWN,
        "over tunings": Cell(over_tunings(row, rows), None, both)}


def table_of(found):
    """One table: a row per tuning, rung and problem."""
    every = [row for _, rows in found for row in rows]
    return Table("accuracy", "Accuracy of every rung", [line_of(row, rows) for _, rows in found for row in rows],
                 NOTE + note_of_cubs(every))


def ulps_text(row):
    return number(row["ulps"], None, 3)


def figure_of(device, found):
    """Error of each rung, a dot per tuning and backend; open if the result varies. `found`: rows of one problem."""
    key = found[0][0]
    rows = [row for _, some in found for row in some if not missing(row["ulps"])]
    if not rows:
        return None
    backends = dict.fromkeys(row["backend"] for row in rows)
    rows.sort(key=lambda row: (row["sort"] == "library", row["rung"]))
    dots = [{"name": label_of(row["name"]), "series": row["backend"], "x": float(row["ulps"]), "open": row["verdict"] == "varies",
             "text": f"{ulps_text(row)} ulps, {row['tuning']}: {row['verdict']}"} for row in rows]
    x = axis("largest error, units in the last place (open: not the same each time)",
             values=[0, 0.1, 0.5, *(10 ** power for power in range(9))], type="symlog", constant=0.1, domainMin=0)
    words = []
    for backend in backends:
        own = [row for row in rows if row["backend"] == backend]
        least, most = (choose(own, key=lambda row: row["ulps"]) for choose in (min, max))
        words.append(f"{backend}: from {ulps_text(least)} ulps, {least['name']}, to {ulps_text(most)}, {most['name']}.")
    chart = rows_chart(dots, x, {backend: colour_of_backend(backend) for backend in backends}, row_height=7, dots=True)
    problem = f"{rows[0]['words']} {rows[0]['op']}, n = {elements(rows[0]['n'])}, {rows[0]['data']} data"
    return finish(chart, name_of("ulps", device, *key[2:]), f"Largest error on {device}: {problem}", words)


def section(view):
    """The table, and a figure per problem, at the largest size that most backends have."""
    found = sorted(rounded(view), key=lambda one: (view.devices.index(one[0][0]), one[0][1:4], one[0][5], -one[0][4]))
    problems = {}
    for one in found:
        device, _, kind, op, n, data = one[0]
        problems.setdefault((device, kind, op, data), {}).setdefault(n, []).append(one)
    figures = [figure_of(device, max(by_n.items(), key=lambda item: (len(item[1]), item[0]))[1])
               for (device, *_), by_n in problems.items()]
    return section_of("accuracy", "Accuracy and determinism",
                      "Results of inexact data are rounded: the order of the additions decides the error. Atomics and schedulers "
                      "combine in the order of arrival, so results can vary.",
                      [table_of(found), *figures] if found else [])
