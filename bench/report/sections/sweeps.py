"""Sweeps: speed over block, items or grid, a line per rung and per value of other swept axes."""

import functools

from .. import cells
from ..pairs import PROBLEM
from ..parts import Table, name_of, section_of
from ..study import as_rows
from ..text import problem_text

AXES = {"block": "threads per block", "items": "elements per thread", "grid": "blocks in the grid"}


def swept(view):
    """(axis, rows) of each sweep in one process, largest sizes first. A grid derived from the block does not count; if both
    were swept, blocks are lines."""
    rows, found = view.right[view.right["sort"] == "rung"], []
    rows = rows[rows["scope"] == rows["device"].map(view.scopes)]
    rows = rows[rows.groupby(["run", "backend", *PROBLEM, "rung"], dropna=False)["n"].transform("size") > 1]
    for _, group in rows.groupby(["run", "backend", *PROBLEM], dropna=False, sort=False):
        by_grid = group.groupby(["rung", "block"], dropna=False)["grid"].transform("nunique") > 1
        by_grid = by_grid.groupby(group["rung"]).transform("any")
        several = group.groupby("rung")[list(AXES)].transform("nunique") > 1
        found += [("block", group[several["block"] & ~by_grid]), ("items", group[several["items"]]), ("grid", group[by_grid])]
    return sorted(((axis, some) for axis, some in found if len(some)), key=lambda one: (-one[1]["n"].iloc[0], -len(one[1])))


def table_of(axis, rows, known=True):
    """The axis as columns. % of the ceiling, or GB/s if it is not `known`; the best of each line is marked."""
    first, known = rows.iloc[0], known and rows["of_ceiling"].notna().all()
    unit, cell = ("% of the ceiling", cells.of_ceiling) if known else ("GB/s", functools.partial(cells.gbs, most=3))
    others = [other for other in AXES if other != axis and (rows.groupby(["rung", axis])[other].nunique() > 1).any()]
    lines, values = {}, [f"{value:.0f}" for value in sorted(rows[axis].unique())]
    for row in as_rows(rows.sort_values(["rung", *others, "time"], kind="stable")):
        line = lines.setdefault(", ".join([row["name"], *(f"{other} {row[other]:.0f}" for other in others)]), {})
        line.setdefault(f"{row[axis]:.0f}", cell(row, "shade" if known and line else "" if line else "best"))
    named = [first[name] for name in ("backend", "device", "type", "op", "n", "data", "cache", "run")]
    return Table(name_of("sweep", axis, *named),
                 f"{first['backend']} on {first['device']}: {problem_text(first)}; {unit} by {AXES[axis]}",
                 [{AXES[axis]: name} | dict.fromkeys(values, "") | line for name, line in lines.items()],
                 f"From the run {first['run']}.")


def section(view):
    return section_of("sweeps", "Sweeps", "Speed by block, grid and elements per thread. Each table is of one process.",
                      [table_of(*one) for one in swept(view)])
