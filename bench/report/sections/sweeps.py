"""Sweeps: speed over block, items or grid, one line per rung; where block and grid were both swept, each pair in a map."""

from .. import cells
from ..charts import counts_axis, finish, lines_chart, of_rung, point
from ..pairs import PROBLEM
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import elements, listed, problem_text

LIMIT = 12  # figures a report
AXES = {"block": "threads per block", "items": "elements per thread", "grid": "blocks in the grid"}


def swept(view):
    """What there is to draw, what says most first: (kind, rows). `kind` is "map" or the axis of a figure of lines."""
    rows = view.right[view.right["sort"] == "rung"]
    rows = rows[rows["scope"] == rows["device"].map(view.scopes)]
    same = ["run", "backend", *PROBLEM]
    rows = rows[rows.groupby([*same, "rung"], dropna=False)["n"].transform("size") > 1]
    found = []
    for _, group in rows.groupby(same, dropna=False, sort=False):
        rungs = dict(iter(group.groupby("rung")))
        crossed = {rung for rung, some in rungs.items() if (some.groupby("block")["grid"].nunique() > 1).sum() > 1}
        found += [("map", rungs[rung], False) for rung in sorted(crossed)]
        for axis in AXES:
            # A grid that follows from the block is not swept.
            over = [rung for rung, some in rungs.items() if some[axis].nunique() > 1
                    and (axis != "grid" or some["block"].nunique() < 2)]
            if over:
                found.append((axis, group[group["rung"].isin(over)], set(over) <= crossed))
    found.sort(key=lambda one: (one[2], -one[1]["n"].iloc[0], -len(one[1])))  # lines whose every number is in a map come last
    return [one[:2] for one in found]


def identifier_of(kind, row, *more):
    named = ("backend", "device", "type", "op", "n", "data", "cache", "run")
    return name_of("sweep", kind, *more, *(row[name] for name in named))


def lines_figure(axis, rows):
    """GB/s over the axis, of each rung the best of what else was swept."""
    first = rows.iloc[0]
    rows = rows.dropna(subset=[axis]).sort_values("time", kind="stable").drop_duplicates(["rung", axis]).sort_values(axis)
    values = sorted(int(value) for value in rows[axis].unique())
    shown = []
    words, lines = [], []
    for place, (_, some) in enumerate(rows.groupby("rung", sort=True)):
        shown.append(of_rung(some.iloc[0], [point(row[axis], row["gbs"], f"{row['tuning']}: {cells.gbs(row).text} GB/s")
                                            for row in as_rows(some)], place))
        best, least = some.loc[some["gbs"].idxmax()], some.loc[some["gbs"].idxmin()]
        words.append(f"{best['name']}: best at {best[axis]:.0f} with {cells.gbs(best).text} GB/s, at the least "
                     f"{cells.gbs(least).text}.")
        at = {int(row[axis]): cells.gbs(row, "best" if row["id"] == best["id"] else "") for row in as_rows(some)}
        lines.append([Cell(best["name"], best["name"]), *(at.get(value, Cell("")) for value in values), Cell(best["tuning"])])
    known = bool(first["ceiling_gbs"] > 0)
    ceiling = [(float(first["ceiling_gbs"]), f"read-only ceiling, {cells.ceiling_gbs(first)} GB/s")] * known
    chart = lines_chart(shown, counts_axis(AXES[axis], values), {"title": "GB/s", "low": 0}, ceiling)
    title = f"{AXES[axis].capitalize()}, {first['backend']} on {first['device']}: {problem_text(first)}"
    table = Table(identifier_of(axis, first), title + ", GB/s", ["rung", *map(str, values), "best tuning"], lines,
                  f"From the run {first['run']}. Of what else was swept, the best at each value.")
    return finish(chart, table, words, title)


def map_table(rows):
    """Grid across, block down, % of the ceiling in each cell; GB/s where there is no ceiling."""
    first = rows.iloc[0]
    of, unit, cell = cells.measure_of(rows)
    rows = rows.dropna(subset=["block", "grid"]).sort_values("time", kind="stable").drop_duplicates(["block", "grid"])
    blocks, grids = (sorted(int(value) for value in rows[axis].unique()) for axis in ("block", "grid"))
    best, other = rows.iloc[0]["id"], "shade" if of == "of_ceiling" else ""
    at = {(int(row["block"]), int(row["grid"])): cell(row, "best" if row["id"] == best else other) for row in as_rows(rows)}
    lines = [[Cell(str(block), block), *(at.get((block, grid), Cell("")) for grid in grids)] for block in blocks]
    title = f"{first['name']}, {first['backend']} on {first['device']}: {problem_text(first)}; {unit} by block and grid"
    return Table(identifier_of("map", first, first["rung"]), title, ["block", *(f"grid {grid}" for grid in grids)], lines,
                 f"From the run {first['run']}.", folded=True)


def section(view):
    found = swept(view)
    drawn = [one for one in found if one[0] != "map"]
    text = "What block, grid and elements per thread are worth, each figure and each map from one process."
    if len(drawn) > LIMIT:
        left = [f"{listed(sorted(rows['rung'].unique()))} by {axis} at {elements(rows['n'].iloc[0])}"
                for axis, rows in drawn[LIMIT:]]
        more = [f"{len(left) - 5} more"] if len(left) > 6 else []
        text += f" Drawn are {LIMIT}, the largest sizes first; not drawn: {listed([*left[:5 if more else 6], *more])}."
    return section_of("sweeps", "Sweeps", text, [*(lines_figure(*one) for one in drawn[:LIMIT]),
                                                 *(map_table(rows) for kind, rows in found if kind == "map")])
