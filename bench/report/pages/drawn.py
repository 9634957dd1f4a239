"""Figures of one records file; pages choose the contents."""

import functools
import sys

from .. import cells, charts
from ..text import bytes_text, elements
from .source import count
from .tables import named, one_problem, right

VALUES = {"time": ("time (µs)", lambda row: row["time"] * 1e6, cells.time), "gbs": ("GB/s", lambda row: row["gbs"], cells.gbs)}


def told_at_ends(lines, text):
    """Describes a chart at its smallest and its largest size."""
    ends = ([line[at] for line in lines] for at in (0, -1))
    return [f"At {elements(some[0]['n'])} ({bytes_text(some[0]['bytes'])}) "
            + ", ".join(f"{row['name']} {text(row)}" for row in some) + "." for some in ends]


def sizes_figure(records, identifier, rungs, value="gbs", backend=None, **wanted):
    """Time or GB/s of these rungs by size, with the read-only sweep of the same bytes in the same process."""
    sides = [named(records, name, backend) for name in rungs.split(",")]
    lines = [sorted(records.select(backend=there, rung=rung, **wanted), key=lambda row: row["n"]) for there, rung in sides]
    measured = [row for line in lines for row in line]
    right(records, *measured)
    swept = [row for row in lines[0] if row["ceiling_gbs"]]
    if not swept:
        sys.exit(f"{records.path}: no ceiling was measured beside {sides[0][1]}")
    title, number, cell = VALUES[value]
    ceiling = [charts.point(row["n"], number({"time": row["bytes"] / row["ceiling_gbs"] / 1e9, "gbs": row["ceiling_gbs"]}))
               for row in swept]
    drawn = [charts.Line("read-only ceiling", ceiling, charts.INK, charts.DASHES[2], dots=False)]
    for colour, line in zip(charts.COLOURS, lines, strict=False):
        points = [charts.point(row["n"], number(row), cell(row).text) for row in line]
        drawn.append(charts.Line(charts.label_of(line[0]["name"]), points, colour))
    chart = charts.lines_chart(drawn, charts.elements_axis(), charts.axis(f"{title}, logarithmic", log=10))
    said = (f"{sides[0][0]} on {records.run['devices'][0]['name']}: {one_problem(records, measured)}, "
            f"{'time' if value == 'time' else title} by number of elements")
    return charts.finish(chart, identifier, said, told_at_ends(lines, lambda row: cells.time(row).text))


def steps_figure(records, identifier, rungs, backends, n, **wanted):
    """Fraction of the read ceiling that each rung reaches, a bar per backend."""
    rows = [row for backend in backends.split(",") for row in records.select(backend=backend, n=n, rung=rungs, **wanted)]
    right(records, *rows)
    rows.sort(key=lambda row: (row["library"], row["rung"]))
    bars = [{"name": charts.label_of(row["name"]), "series": row["backend"], "x": 100 * row["of_ceiling"],
             "text": f"{cells.of_ceiling(row).text} %"} for row in rows]
    chart = charts.rows_chart(bars, charts.axis("% of the read ceiling"), {
        backend: charts.colour_of_backend(backend) for backend in backends.split(",")}, row_height=9)
    words = []
    for backend in backends.split(","):
        own = [row for row in rows if row["backend"] == backend]
        best = max(own, key=lambda row: row["of_ceiling"])
        ends = (f"{cells.of_ceiling(row).text} % ({row['name']})" for row in (own[0], best))
        words.append(f"On {backend} from {' to '.join(ends)}.")
    title = f"{records.run['devices'][0]['name']}: {one_problem(records, rows)}, n = {elements(count(n))}"
    return charts.finish(chart, identifier, title, words)


DRAWN = {"times": functools.partial(sizes_figure, value="time"), "sizes": sizes_figure, "steps": steps_figure}
