"""Kernel time beside host time: what a caller waits for besides the device's work, from pairs of one process."""

import math

import pandas

from .. import cells
from ..drawing import finish, legend_below, new, over_sizes, plain_numbers, style_of
from ..pairs import PROBLEM, beside, favoured, one_run, side
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import elements, listed, missing, number, place_of, rounded
from ..view import ladder_order

SAME = ["run", "backend", "rung", *(name for name in PROBLEM if name != "scope"), "tuning"]


def scopes_beside(view, device):
    """{backend: the measurements in kernel scope of one run, with the host's columns beside, `_host` behind}."""
    rows = view.right[(view.right["device"] == device) & (view.right["sort"] != "variant")]
    kernel, host = (rows[rows["scope"] == scope] for scope in ("kernel", "host"))
    found = beside(kernel, host, SAME, "_host")  # of the same tuning: the same launches on both sides
    for name, value in (("data", "exact"), ("cache", "cold")):
        if (found[name] == value).any():
            found = found[found[name] == value]
    found = favoured(found)
    return {backend: one_run(some) for backend, some in found.groupby("backend", sort=False) if (some["sort"] == "rung").any()}


def best_over_sizes(rows):
    """The rung that is fastest at the largest size, at every size."""
    rungs = rows[rows["sort"] == "rung"].sort_values(["n", "time"], ascending=[False, True], kind="stable")
    return rungs[rungs["rung"] == rungs["rung"].iloc[0]].sort_values("n")


def lines_figure(device, beside):
    """Time over N of each backend's rung, kernel and host."""
    figure, axes = new(3.4, grid="both", ylabel="µs", yscale="log")
    over_sizes(axes, pandas.concat(beside.values())["n"])
    plain_numbers(axes.yaxis)
    heads, columns, words = [], [], []
    for backend, rows in beside.items():
        some = best_over_sizes(rows)
        style = style_of(backend)
        first, last = (some.iloc[at].to_dict() for at in (0, -1))
        axes.plot(some["n"], 1e6 * some["time"], label=f"{backend} {last['rung']}, kernel", **style)
        axes.plot(some["n"], 1e6 * some["time_host"], linestyle="--", fillstyle="none", label=f"{backend} {last['rung']}, host",
                  **style)
        heads += [f"{backend} {last['name']}, {scope}" for scope in ("kernel", "host")]
        columns += [{row["n"]: cells.microseconds(side(row, word)) for row in as_rows(some)} for word in ("", "_host")]
        words += [f"{backend}, {row['name']} at {elements(row['n'])}: kernel {cells.time(row).text}, "
                  f"host {cells.time(side(row, '_host')).text}." for row in ([first, last] if len(some) > 1 else [last])]
    legend_below(figure, axes)
    row = next(iter(beside.values())).iloc[0]
    title = f"Kernel and host time on {device}: {row['words']} {row['op']}, {row['cache']}"
    lines = [[cells.sized(n), *(column.get(n, Cell("")) for column in columns)] for n in sorted(set().union(*columns))]
    table = Table(name_of("scopes", device), title + ", µs", ["n", *heads], lines, "Each pair from one process.")
    return finish(figure, table, ["Of each backend the rung that is fastest at the largest size.", *words], title)


def ends_of(rows):
    """The smallest and the largest size that most rungs have."""
    rungs = rows.groupby("n")["rung"].nunique()
    common = rungs.index[rungs >= 0.8 * rungs.max()]
    return sorted({common.min(), common.max()})


def difference(kernel, host):
    """Host less kernel, with the uncertainty of the two times where the records have it."""
    value = host["time"] - kernel["time"]
    doubt = math.hypot(kernel["uncertainty"] * kernel["time"], host["uncertainty"] * host["time"])
    text = number(1e6 * value, None, 3)
    if not missing(doubt) and 0 < doubt < math.inf:
        place = min(0, place_of(1e6 * doubt))
        text = f"{rounded(1e6 * value, place)} ± {rounded(1e6 * doubt, place)}"
    return Cell(text, value, cells.trace_of(kernel, host))


def four(row):
    host = side(row, "_host")
    return [cells.microseconds(row), cells.microseconds(host), difference(row, host), cells.speedup(host, row)]


def table_of(device, backend, rows):
    """rung x {kernel, host, difference, host/kernel} at a small and at the largest size."""
    sizes, rows = ends_of(rows), ladder_order(rows)
    lines = [[name, *(cell for one in found for cell in (one if isinstance(one, list) else [one] * 4))]
             for name, *found in cells.by_rung(rows, "n", sizes, four)]
    first = rows.iloc[0]
    title = f"{backend} on {device}: {first['words']} {first['op']}, {first['cache']}, µs at {listed(map(elements, sizes))}"
    doubt = ("the standard error of the times' difference." if rows["processes"].max() == 1
             else "from half of the interval of each, which is too much where processes change both alike.")
    heads = [f"{head}, {elements(n)}" for n in sizes for head in ("kernel", "host", "host − kernel", "host / kernel")]
    return Table(name_of("scopes", backend, device), title, ["rung", *heads], lines,
                 f"Both from the run {first['run']}, sampled in turn, with the same tuning. ±: {doubt} Host time ends when the "
                 "result can be read on the host, kernel time with the last kernel." + cells.of_processes(rows["processes"]),
                 folded=True)


def section(view):
    parts = []
    for device in view.devices:
        if beside := scopes_beside(view, device):
            parts += [lines_figure(device, beside), *(table_of(device, *one) for one in beside.items())]
    return section_of("scopes", "Kernel time and host time",
                      "Kernel time is the device's own, between two events; host time is what the caller waits until the result "
                      "can be read. What lies between them is the launch, the copy of the result and the wait for it: the same "
                      "few microseconds at any size, if all is well.", parts)
