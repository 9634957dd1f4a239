"""Beside the libraries: the best own rung of each backend against every library, on one problem and device.

A library that blocks has host scope only, so it stands beside nothing but host scope.
"""

import pandas

from .. import cells
from ..charts import Line, colour_of_backend, elements_axis, finish, lines_chart, point
from ..pairs import PROBLEM, beside, ratios, side
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import elements, listed, problem_text

CLASS = ["device", "type", "op", "data", "cache", "scope"]  # what a table is of; its rows differ in elements


def beside_own(view):
    """Pairs of a library and the best own rung of each backend in each run, `_own` behind, what stands first before the others.
    Of several problems of a class with the same n, which differ in machine, seed or eviction, the first."""
    rows = view.weighed
    libraries = rows[rows["sort"] == "library"].drop_duplicates(["run", *PROBLEM, "backend", "rung"])
    own = rows[rows["sort"] == "rung"].drop_duplicates(["run", *PROBLEM, "backend"])
    found = beside(libraries, own, PROBLEM, "_own")
    return found.merge(found.drop_duplicates([*CLASS, "n"])[PROBLEM], on=PROBLEM)


def class_text(rows):
    return problem_text(rows.iloc[0], sized=False)


def short(row):
    return f"{row['rung'].removeprefix('library_')} ({row['backend']})"


def table_of(kind, rows, folded):
    backends, lines, separate = sorted(rows["backend_own"].unique()), [], False
    for _, some in rows.assign(place=-rows["n"]).groupby(["place", "backend", "rung"]):
        row = some.iloc[0].to_dict()
        pairs = some.sort_values("interleaved", ascending=False, kind="stable").drop_duplicates("backend_own")
        separate |= not pairs["interleaved"].all()
        held = {pair["backend_own"]: cells.coloured(pair, side(pair, "_own"), f" {pair['rung_own']}")
                for pair in as_rows(pairs)}
        lines.append([cells.sized(row["n"]), Cell(short(row), short(row), (row["where"],)),
                      *(held.get(backend, Cell("")) for backend in backends), cells.time(row), cells.gbs(row)])
    note = ("The library's time by that of the backend's best rung: above 1 the rung is faster. Both of one process where one "
            "has both; the library's own time is of the process that measured most."
            + cells.of_processes(rows["processes"], rows["processes_own"]))
    return Table(name_of("libraries", *kind), f"Beside the libraries on {kind[0]}: {class_text(rows)}",
                 ["n", "library", *backends, "its time", "its GB/s"], lines, note + (cells.APART if separate else ""), folded)


def over_sizes(kind, rows):
    """The best rung of each backend beside the best library of the same run, over N; nothing where no run has both."""
    best = rows[rows["interleaved"]].sort_values("time", kind="stable").drop_duplicates(["run", "n", "backend_own"])
    points = best.sort_index().drop_duplicates(["n", "backend_own"]).sort_values(["n", "time_own"])
    if points.empty:
        return None
    values, lines, told, shown = pandas.Series(ratios(points, "_own")[0], points.index), [], [], []
    for backend, some in points.groupby("backend_own", sort=False):
        held = {pair["n"]: (pair, side(pair, "_own")) for pair in as_rows(some)}
        shown.append(Line(backend, [point(n, value, f"{elements(n)}: {cells.ratio_text(*held[n])}")
                                    for n, value in zip(some["n"], values[some.index], strict=True)], colour_of_backend(backend)))
        most, least = (some.loc[at, "n"] for at in (values[some.index].idxmax(), values[some.index].idxmin()))
        said = [f"{cells.ratio_text(*held[n])} at {elements(n)}" for n in (some["n"].max(), least, most)]
        told.append(f"{backend}: {said[0]}" + (f", from {said[1]} to {said[2]}." if len(some) > 1 else "."))
        lines += [[Cell(backend, backend), cells.sized(n), Cell(own["name"], own["name"], cells.trace_of(own)),
                   Cell(short(library), None, cells.trace_of(library)), cells.ratio(library, own)]
                  for n, (library, own) in held.items()]
    y = {"title": "library's time / best rung's time", "log": 10, "low": min(0.8, *values) / 1.05,
         "high": max(1.1, *values) * 1.05}
    chart = lines_chart(shown, elements_axis(points["n"]), y, [(1, "as fast")])
    title = f"Best rung beside the best library on {kind[0]}: {class_text(rows)}"
    heads = ["backend", "n", "best rung", "best library", "library's time by the rung's"]
    table = Table(name_of("beside-libraries", *kind), title, heads, lines,
                  "Each pair is of one process." + cells.of_processes(points["processes"]))
    return finish(chart, table, ["Above 1 the rung is faster.", *told])


def section(view):
    """Of each device first the tables of what speaks for it; the first one open."""
    found = dict(iter(beside_own(view).groupby(CLASS)))
    parts = []
    for device in view.devices:
        headline, scope = view.headlines[device], view.scopes[device]
        speaks = (headline.iloc[0]["type"], headline.iloc[0]["op"]) if len(headline) else None
        kinds = sorted((kind for kind in found if kind[0] == device), key=lambda kind: (
            kind[4] != "cold", kind[5] != scope, kind[3] != "exact", kind[1:3] != speaks, -found[kind]["n"].nunique(), kind))
        parts += [table_of(kind, found[kind], folded=kind != kinds[0]) for kind in kinds]
        parts += [over_sizes(kind, found[kind]) for kind in kinds[:1]]
    names = listed(device for device in view.devices if any(kind[0] == device for kind in found))
    return section_of("libraries", "Beside the libraries",
                      f"The best own rung of each backend against what a vendor or a framework brings, on {names}: above 1 the "
                      f"rung is faster. {cells.COLOURED} A library that blocks is compared in host scope only.", parts)
