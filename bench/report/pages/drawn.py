"""Figures of one records file that the report does not have: pages choose what is in them."""

import sys

from .. import cells
from ..drawing import COLOURS, INK, MARKS, finish, legend_below, new, over_sizes, plain_numbers
from ..parts import Table
from ..text import bytes_text, elements
from .compared import named, one_problem, right


def times_figure(records, identifier, rungs, backend=None, **wanted):
    """The time of each of these rungs at each size, and that of the read-only sweep of as many bytes in the same process."""
    sides = [named(records, name, backend) for name in rungs.split(",")]
    lines = [sorted(records.select(backend=there, rung=rung, **wanted), key=lambda row: row["n"]) for there, rung in sides]
    measured = [row for line in lines for row in line]
    right(records, *measured)
    problem = one_problem(records, measured)
    swept = [row for row in lines[0] if row["ceiling_gbs"]]
    if not swept:
        sys.exit(f"{records.path}: no ceiling was measured beside {sides[0][1]}")

    figure, axes = new(4.4, grid="both", ylabel="time (µs)", yscale="log")
    over_sizes(axes, [row["n"] for row in measured])
    plain_numbers(axes.yaxis)
    floor = [(row["n"], row["bytes"] / row["ceiling_gbs"] / 1e3) for row in swept]
    axes.plot(*zip(*floor, strict=True), color=INK, linestyle=":", linewidth=1.3, label="read-only ceiling")
    for place, line in enumerate(lines):
        points = [(row["n"], row["time"] * 1e6) for row in line]
        axes.plot(*zip(*points, strict=True), color=COLOURS[place], marker=MARKS[place], markersize=3, linewidth=1.1,
                  label=line[0]["name"].replace("_", " ").replace("library ", ""))
    legend_below(figure, axes)

    least, most = ([line[at] for line in lines] for at in (0, -1))
    words = [f"At {elements(some[0]['n'])} ({bytes_text(some[0]['bytes'])}) " +
             ", ".join(f"{row['name']} takes {cells.time(row).text}" for row in some) for some in (least, most)]
    device = records.run["devices"][0]["name"]
    title = f"{sides[0][0]} on {device}: {problem}, time by number of elements"
    return finish(figure, Table(identifier, title, [], []), [f"{one}." for one in words], title)
