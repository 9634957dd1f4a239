"""Sweeps: speed over block, items or grid, a line for each rung; where block and grid were both swept, each pair in a map."""

from .. import cells
from ..pairs import PROBLEM
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import problem_text

AXES = {"block": "threads per block", "items": "elements per thread", "grid": "blocks in the grid"}


def swept(view):
    """(kind, rows) of each sweep of one process, the largest sizes first. `kind` is "map" or an axis."""
    rows = view.right[view.right["sort"] == "rung"]
    rows = rows[rows["scope"] == rows["device"].map(view.scopes)]
    same = ["run", "backend", *PROBLEM]
    rows = rows[rows.groupby([*same, "rung"], dropna=False)["n"].transform("size") > 1]
    found = []
    for _, group in rows.groupby(same, dropna=False, sort=False):
        rungs = dict(iter(group.groupby("rung")))
        crossed = {rung for rung, some in rungs.items() if (some.groupby("block")["grid"].nunique() > 1).sum() > 1}
        found += [("map", rungs[rung]) for rung in sorted(crossed)]
        for axis in AXES:
            # A grid that follows from the block is not swept.
            over = [rung for rung, some in rungs.items() if some[axis].nunique() > 1 and rung not in crossed
                    and (axis != "grid" or some["block"].nunique() < 2)]
            if over:
                found.append((axis, group[group["rung"].isin(over)]))
    return sorted(found, key=lambda one: (-one[1]["n"].iloc[0], -len(one[1])))


def table_of(kind, rows):
    """The axis across, rungs down; of a map the grid across and blocks down. % of the ceiling, GB/s where there is none; of what
    else was swept, the best."""
    first, known = rows.iloc[0], rows["of_ceiling"].notna().all()
    unit, cell = ("% of the ceiling", cells.of_ceiling) if known else ("GB/s", cells.gbs)
    down, across = ("block", "grid") if kind == "map" else ("name", kind)
    rows = rows.dropna(subset=[down, across]).sort_values("time", kind="stable").drop_duplicates([down, across])
    best = set(rows["id"].iloc[:1] if kind == "map" else rows.drop_duplicates("rung")["id"])
    shade = "shade" if known else ""
    at = {(row[down], row[across]): cell(row, "best" if row["id"] in best else shade) for row in as_rows(rows)}
    values = sorted(rows[across].unique())
    lines = [[Cell(f"{key:.0f}" if kind == "map" else key, key), *(at.get((key, value), Cell("")) for value in values)]
             for key in sorted(rows[down].unique())]
    what = "grid by block" if kind == "map" else AXES[kind]
    title = f"{first['name'] + ', ' if kind == 'map' else ''}{first['backend']} on {first['device']}: {problem_text(first)}"
    named = [first[name] for name in ("backend", "device", "type", "op", "n", "data", "cache", "run")]
    return Table(name_of("sweep", kind, *([first["rung"]] if kind == "map" else []), *named), f"{title}; {unit} by {what}",
                 [what, *(f"{value:.0f}" for value in values)], lines, f"From the run {first['run']}.")


def section(view):
    return section_of("sweeps", "Sweeps", "What block, grid and elements per thread are worth, each table from one process.",
                      [table_of(*one) for one in swept(view)])
