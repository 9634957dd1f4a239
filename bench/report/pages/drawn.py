"""Figures of one records file that the report does not have: pages choose what is in them."""

import sys

from .. import cells
from ..charts import COLOURS, INK, Line, colour_of_backend, elements_axis, finish, label_of, lines_chart, point, rows_chart
from ..parts import Table
from ..text import bytes_text, elements
from .compared import named, one_problem, right
from .source import count


def times_figure(records, identifier, rungs, backend=None, **wanted):
    """The time of each of these rungs at each size, and that of the read-only sweep of as many bytes in the same process."""
    sides = [named(records, name, backend) for name in rungs.split(",")]
    of_rungs = [sorted(records.select(backend=there, rung=rung, **wanted), key=lambda row: row["n"]) for there, rung in sides]
    measured = [row for line in of_rungs for row in line]
    right(records, *measured)
    problem = one_problem(records, measured)
    swept = [row for row in of_rungs[0] if row["ceiling_gbs"]]
    if not swept:
        sys.exit(f"{records.path}: no ceiling was measured beside {sides[0][1]}")

    lines = [Line("read-only ceiling", [point(row["n"], row["bytes"] / row["ceiling_gbs"] / 1e3) for row in swept], INK, [2, 2],
                  dots=False)] + [
        Line(label_of(line[0]["name"]),
             [point(row["n"], row["time"] * 1e6, cells.time(row).text) for row in line], colour)
        for colour, line in zip(COLOURS, of_rungs, strict=False)]
    chart = lines_chart(lines, elements_axis([row["n"] for row in measured]), {"title": "time (µs)", "log": 10})
    least, most = ([line[at] for line in of_rungs] for at in (0, -1))
    words = [f"At {elements(some[0]['n'])} ({bytes_text(some[0]['bytes'])}) " +
             ", ".join(f"{row['name']} takes {cells.time(row).text}" for row in some) for some in (least, most)]
    device = records.run["devices"][0]["name"]
    title = f"{sides[0][0]} on {device}: {problem}, time by number of elements"
    return finish(chart, Table(identifier, title, [], []), [f"{one}." for one in words], title)


def steps_figure(records, identifier, rungs, backends, n, **wanted):
    """What part of the read ceiling each of these rungs reaches, a bar for each backend."""
    rows = [row for backend in backends.split(",") for row in records.select(backend=backend, n=count(n), rung=rungs, **wanted)]
    right(records, *rows)
    rows.sort(key=lambda row: row["rung"])
    bars = [{"name": label_of(row["name"]), "series": row["backend"], "x": 100 * row["of_ceiling"],
             "text": f"{cells.of_ceiling(row).text} %"} for row in rows]
    chart = rows_chart(bars, {"title": "% of the read ceiling"}, {
        backend: colour_of_backend(backend) for backend in backends.split(",")}, row_height=9)
    words = [f"On {backend} from {cells.of_ceiling(mine[0]).text} % ({mine[0]['name']}) to {cells.of_ceiling(mine[-1]).text} % "
             f"({mine[-1]['name']})." for backend in backends.split(",")
             for mine in [[row for row in rows if row["backend"] == backend]]]
    title = f"{records.run['devices'][0]['name']}: {one_problem(records, rows)}, n = {elements(count(n))}"
    return finish(chart, Table(identifier, title, [], []), words)


DRAWN = {"times": times_figure, "steps": steps_figure}
