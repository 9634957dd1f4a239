"""Bandwidth over sizes: every rung of each backend, between the launch floor and the ceiling."""

import dataclasses
import math

from .. import cells
from ..charts import INK, Line, elements_axis, finish, lines_chart, of_rung, point
from ..pairs import ASKED, favoured, of_problem, one_run
from ..parts import Table, name_of, section_of
from ..processes import uncertainty_of
from ..study import as_rows
from ..text import bytes_text, elements, number, problem_text, seconds
from ..view import ladder_order

NEAR = 0.9  # of the ceiling: coloured
FAR = 0.05  # from what another run measured: said


def floor_of(view, first):
    """What an empty launch takes where this was measured; nothing where that is not known."""
    return next((floor for floor in view.study.others["floor"] if floor["run"] == first["run"] and floor["what"] == "launch"
                 and floor.get("backend", first["backend"]) == first["backend"] and floor.get("space") == first["space"]
                 and floor["median"]), None)


def bounds_of(view, rows):
    """(lines, bounds) of the ceiling, the launch floor and the theoretical peak; and what they are, in words."""
    first, told, sizes = rows.iloc[0], [], rows.drop_duplicates("n").sort_values("n")
    swept, lines, bounds = sizes.dropna(subset=["ceiling_gbs"]), [], []
    if len(swept):
        lines.append(Line("read-only ceiling", [point(row["n"], row["ceiling_gbs"], f"{cells.ceiling_gbs(row)} GB/s")
                                                for row in as_rows(swept)], INK, [2, 2], dots=False, end="ceiling"))
        told.append(f"Read-only ceiling {cells.ceiling_gbs(swept.iloc[-1])} GB/s at {elements(swept.iloc[-1]['n'])}")
    if first["peak_gbs"] and first["peak_gbs"] > 0:
        told.append(f"Theoretical peak {number(first['peak_gbs'])} GB/s")
        bounds.append((float(first["peak_gbs"]), f"theoretical peak, {number(first['peak_gbs'])} GB/s"))
    if floor := floor_of(view, first):
        text = seconds(floor["median"], uncertainty_of(floor))
        lines.append(Line("launch floor", [point(row["n"], row["bytes"] / floor["median"] / 1e9, text) for row in as_rows(sizes)],
                          INK, [8, 3, 2, 3], dots=False, end="launch floor"))
        told.append(f"Launch floor {text}")
    return lines, bounds, told


def marked(view, rows):
    """What makes a cell, marked where the run that speaks for its problem measured something else; and whether any is."""
    same = of_problem(view.standing, rows.iloc[0], ["device", "backend", *(name for name in ASKED if name != "n")])
    other = {(row["rung"], row["n"]): row["gbs"] for row in as_rows(same)}

    def apart(row):
        return abs(math.log(row["gbs"] / other.get((row["rung"], row["n"]), row["gbs"]))) > FAR

    def made(cell):
        def one(row):
            found = cell(row)
            return dataclasses.replace(found, text=found.text + " ‡") if found.text and apart(row) else found

        return one

    return made, any(map(apart, as_rows(rows)))


def tables_of(view, rows, identifier, title, left_out):
    """(GB/s, % of the ceiling), rungs down and sizes across."""
    mark, some = marked(view, rows)
    rows, sizes = ladder_order(rows), sorted(rows["n"].unique())
    heads = ["rung", *map(elements, sizes)]
    note = f"All from the run {rows.iloc[0]['run']}." + (f" Not measured in it: {', '.join(left_out)}." if left_out else "")
    note += cells.of_processes(rows["processes"])
    note += " ‡ the run that speaks for this size elsewhere measured something more than 5 % away." * some
    speeds = Table(identifier, title + ", GB/s", heads, cells.by_rung(rows, "n", sizes, mark(cells.gbs)), note, folded=True)
    parts = Table(identifier + "-of-ceiling", title + ", % of the ceiling", heads,
                  cells.by_rung(rows, "n", sizes, mark(coloured)),
                  note + f" Coloured from {100 * NEAR:.0f} % on. Ceiling: the best read-only sweep of as many bytes in the same "
                         f"process.", folded=True)
    return speeds, parts if rows["of_ceiling"].notna().any() else None


def coloured(row):
    return cells.of_ceiling(row, "good" if row["of_ceiling"] >= NEAR else "")


def rungs_figure(view, rows, left_out):
    """(figure, its table of parts of the ceiling) of one run's rungs on one backend."""
    first = rows.iloc[0]
    lines, bounds, told = bounds_of(view, rows)
    for place, (_, some) in enumerate(rows.sort_values("n").groupby("rung", sort=True)):
        points = [point(row["n"], row["gbs"], f"{elements(row['n'])}: {cells.gbs(row).text} GB/s") for row in as_rows(some)]
        lines.append(of_rung(some.iloc[-1], points, place))
    top = max([rows["gbs"].max(), *rows["ceiling_gbs"].dropna(), *(value for value, _ in bounds)])  # the floor's line may leave
    y = {"title": "GB/s", "log": 10, "low": rows["gbs"].min() / 1.3, "high": 1.5 * top}
    chart = lines_chart(lines, elements_axis(rows["n"]), y, bounds, height=360)
    title = f"{first['backend']} on {first['device']}: {problem_text(first, sized=False)}"
    words = [f"The fastest at {elements(row['n'])} ({bytes_text(row['bytes'])}) is {row['name']} with {cells.gbs(row).text} "
             f"GB/s, the slowest {slow['name']} with {cells.gbs(slow).text} GB/s"
             for some in (rows[rows["n"] == rows["n"].min()], rows[rows["n"] == rows["n"].max()])
             for row, slow in [(some.loc[some["gbs"].idxmax()], some.loc[some["gbs"].idxmin()])]]
    speeds, parts = tables_of(view, rows, name_of("sizes", first["backend"], first["device"]), title, left_out)
    return finish(chart, speeds, [f"{one}." for one in told + words], title + ", GB/s by number of elements"), parts


def section(view):
    parts = []
    for device in view.devices:
        rows, drawn = view.plain(device), []
        rows = rows[rows["sort"] != "variant"]
        for _, some in rows.groupby("backend", sort=False):
            some = favoured(some)
            run = one_run(some)
            if run.loc[run["sort"] == "rung", "n"].nunique() > 1:
                drawn += rungs_figure(view, run, sorted(set(some["name"]) - set(run["name"])))
        parts += drawn
    return section_of("sizes", "Over sizes",
                      "A small input takes as long as its launch, a large one as long as the memory needs. Only what launches no "
                      "work on the device can lie above the line of the launch floor. A step that pays at one size need not pay "
                      "at another.", parts)
