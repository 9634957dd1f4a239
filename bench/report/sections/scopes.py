"""Kernel time beside host time: what a caller waits for besides the device's work, from pairs of one process."""

import pandas

from ..cells import sized
from ..comparable import PROBLEM
from ..drawing import finish, legend_below, new, plain_numbers, style_of
from ..lines import over_sizes
from ..pairs import favoured, one_run
from ..parts import Cell, Section, Table, name_of
from ..text import elements, factor, joint, listed, missing, number, place_of, rounded, seconds
from ..view import ladder_order

SAME = ["run", "backend", "rung", *(name for name in PROBLEM if name != "scope"), "tuning"]


def scopes_beside(view, device):
    """{backend: the measurements in kernel scope of one run, with the host's columns beside, `_host` behind}."""
    rows = view.right[(view.right["device"] == device) & (view.right["sort"] != "variant")]
    kernel, host = (rows[rows["scope"] == scope] for scope in ("kernel", "host"))
    if kernel.empty or host.empty:
        return {}
    host = host[[*SAME, "median", "uncertainty", "summary_where"]]
    found = kernel.merge(host, on=SAME, suffixes=("", "_host"))  # of the same tuning: the same launches on both sides
    for name, value in (("data", "exact"), ("cache", "cold")):
        if (found[name] == value).any():
            found = found[found[name] == value]
    found = favoured(found)
    return {backend: one_run(some) for backend, some in found.groupby("backend", sort=False) if (some["sort"] == "rung").any()}


def best_over_sizes(rows):
    """The rung that is fastest at the largest size, at every size."""
    rungs = rows[rows["sort"] == "rung"]
    largest = rungs[rungs["n"] == rungs["n"].max()]
    return rungs[rungs["rung"] == largest.loc[largest["median"].idxmin(), "rung"]].sort_values("n")


def microseconds(row, side):
    return Cell(number(1e6 * row["median" + side], row["uncertainty" + side]), row["median" + side],
                (row["summary_where" + side],))


def lines_figure(device, beside):
    """Time over N of each backend's rung, kernel and host."""
    figure, axes = new(3.4)
    over_sizes(axes, pandas.concat(beside.values())["n"])
    axes.set_yscale("log")
    plain_numbers(axes.yaxis)
    heads, columns, words = [], [], []
    for backend, rows in beside.items():
        some = best_over_sizes(rows)
        colour, mark = style_of(backend)
        first, last = some.iloc[0], some.iloc[-1]
        axes.plot(some["n"], 1e6 * some["median"], color=colour, marker=mark, label=f"{backend} {last['rung']}, kernel")
        axes.plot(some["n"], 1e6 * some["median_host"], color=colour, marker=mark, linestyle="--", fillstyle="none",
                  label=f"{backend} {last['rung']}, host")
        heads += [f"{backend} {last['name']}, {scope}" for scope in ("kernel", "host")]
        columns += [{row["n"]: microseconds(row, side) for _, row in some.iterrows()} for side in ("", "_host")]
        words += [f"{backend}, {row['name']} at {elements(row['n'])}: kernel {seconds(row['median'], row['uncertainty'])}, "
                  f"host {seconds(row['median_host'], row['uncertainty_host'])}."
                  for row in ([first, last] if len(some) > 1 else [last])]
    axes.grid()
    axes.set_ylabel("µs")
    legend_below(figure, axes)
    row = next(iter(beside.values())).iloc[0]
    identifier = name_of("scopes", device)
    title = f"Kernel and host time on {device}: {row['words']} {row['op']}, {row['cache']}"
    lines = [[sized(n), *(column.get(n, Cell("")) for column in columns)] for n in sorted(set().union(*columns))]
    return finish(figure, identifier, title, f"{title}, of the rung that is fastest at the largest size. {' '.join(words)}",
                  Table(identifier, title + ", µs", ["n", *heads], lines, "Each pair from one process.", folded=True))


def ends_of(rows):
    """The smallest and the largest size that most rungs have."""
    rungs = rows.groupby("n")["rung"].nunique()
    common = rungs.index[rungs >= 0.8 * rungs.max()]
    return sorted({common.min(), common.max()})


def difference(row):
    """Host less kernel, with the uncertainty of the two medians where the records have it."""
    value = row["median_host"] - row["median"]
    doubt = ((row["uncertainty"] * row["median"]) ** 2 + (row["uncertainty_host"] * row["median_host"]) ** 2) ** 0.5
    text = number(1e6 * value, None, 3)
    if not missing(doubt) and 0 < doubt < float("inf"):
        place = min(0, place_of(1e6 * doubt))
        text = f"{rounded(1e6 * value, place)} ± {rounded(1e6 * doubt, place)}"
    return Cell(text, value, (row["summary_where"], row["summary_where_host"]))


def table_of(device, backend, rows):
    """rung x {kernel, host, difference, host/kernel} at a small and at the largest size."""
    sizes = ends_of(rows)
    rows = ladder_order(rows)
    at = {(row["rung"], row["n"]): row for _, row in rows.iterrows()}
    lines = []
    for rung, name in dict(zip(rows["rung"], rows["name"], strict=True)).items():
        line = [Cell(name, name)]
        for n in sizes:
            row = at.get((rung, n))
            both = () if row is None else (row["summary_where"], row["summary_where_host"])
            line += [Cell("")] * 4 if row is None else [
                microseconds(row, ""), microseconds(row, "_host"), difference(row),
                Cell(factor(row["median_host"] / row["median"], joint(row["uncertainty"], row["uncertainty_host"])),
                     row["median_host"] / row["median"], both)]
        lines.append(line)
    first = rows.iloc[0]
    return Table(name_of("scopes", backend, device), f"{backend} on {device}: {first['words']} {first['op']}, "
                 f"{first['cache']}, µs at {listed(map(elements, sizes))}",
                 ["rung", *(f"{head}, {elements(n)}" for n in sizes
                            for head in ("kernel", "host", "host − kernel", "host / kernel"))],
                 lines, f"Both from the run {first['run']}, sampled in turn, with the same tuning. ±: the standard error of the "
                        f"medians' "
                 "difference. Host time ends when the result can be read on the host, kernel time with the last kernel.",
                 folded=True)


def section(view):
    figures, tables = [], []
    for device in view.devices:
        beside = scopes_beside(view, device)
        if beside:
            figures.append(lines_figure(device, beside))
            tables += [table_of(device, backend, rows) for backend, rows in beside.items()]
    if not figures:
        return None
    return Section("scopes", "Kernel time and host time",
                   "Kernel time is the device's own, between two events; host time is what the caller waits until the result "
                   "can be read. What lies between them is the launch, the copy of the result and the wait for it: the same few "
                   "microseconds at any size, if all is well.", tables, figures)
