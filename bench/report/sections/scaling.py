"""What more threads, devices or ranks bring, as many times the speed of one: where the elements are as many (strong scaling) and
where each has as many (weak)."""

import math

from .. import cells
from ..charts import INK, Line, axis, finish, lines_chart, point, style_of
from ..pairs import ASKED
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import bytes_text, elements, problem_text, seconds
from ..view import ladder_order

SMALL = 1 << 18  # elements: up to here the time is that of waking threads, not what they bring
BUT_SIZE = [name for name in ASKED if name != "n"]


def threads_of(view, row):
    """How many a measurement had: of those that name none, Kokkos has as many as its process was given."""
    if row["workers"] == row["workers"] and row["workers"]:
        return int(row["workers"])
    facts = view.study.devices[row["run"], row["backend"]].get("facts") or {}
    given = facts.get("default workers") if row["backend"] == "kokkos/openmp" else None
    return int(given["value"]) if given else None


def once(rows, same, what):
    """Of the same in several runs that of the one with the most numbers of `what`, so that a ratio is of one process where it
    can be; of several tunings the fastest."""
    numbers = rows.groupby([*same, "run"], dropna=False)[what].transform("nunique")
    rows = rows.assign(numbers=numbers).sort_values(["numbers", "run", "time"], ascending=[False, False, True], kind="stable")
    return rows.drop_duplicates([*same, "n", what])


def by_threads(view):
    """What is right on CPUs by a known number of threads."""
    rows = view.right[(view.right["device_kind"] == "cpu") & (view.right["sort"] != "variant") & (view.right["n"] > SMALL)]
    rows = rows.assign(threads=[threads_of(view, row) for row in as_rows(rows)])
    rows = once(rows.dropna(subset=["threads"]).astype({"threads": int}), ["device", "backend", "rung", *BUT_SIZE], "threads")
    return ladder_order(rows)


def by_shares(view):
    """What is right and says how many shares it was in."""
    rows = view.right
    if "shares" not in rows:
        return rows.iloc[:0]
    rows = rows[rows["shares"].notna()].astype({"shares": int})
    rows = once(rows, ["device", "backend", "rung", *BUT_SIZE], "shares")
    return rows.sort_values(["rung", "backend", "shares"], kind="stable")


def of_each(row):
    """A row in the time that it takes for what one share has."""
    return row | {"time": row["time"] / row["shares"],
                  "by_process": {run: one / row["shares"] for run, one in row["by_process"].items()}}


def problems(rows, what):
    """(weak or strong, the first row, how many elements in all or in each, {(backend, rung): {how many: row}}) of what was
    measured by one and by more."""
    for kind in ("strong", "weak")[:2 if what == "shares" else 1]:
        weak = kind == "weak"
        some = rows.assign(size=rows["n"] // rows[what])[rows["n"] % rows[what] == 0] if weak else rows.assign(size=rows["n"])
        for key, alike in some.groupby(["device", *BUT_SIZE, "size"], dropna=False, sort=False):
            found = {}
            for row in as_rows(alike):
                by = found.setdefault((row["backend"], row["rung"]), {})
                by.setdefault(row[what], of_each(row) if weak else row)
            found = {key: dict(sorted(by.items())) for key, by in found.items() if 1 in by and len(by) > 1}
            if found:
                yield kind, alike.iloc[0], key[-1], found


def title_of(kind, first, size, what):
    if kind == "strong":
        return f"{first['device']}: {problem_text(first)}, " + (f"by number of {what}" if what == "threads" else "strong scaling")
    each = f"{elements(size)} elements ({bytes_text(int(first['bytes'] // first[what]))}) in each {what[:-1]}"
    return f"{first['device']}: {problem_text(first, sized=False)}, {each}, weak scaling"


def table_of(identifier, title, found, one):
    numbers = sorted({many for by in found.values() for many in by})
    rows = []
    for (backend, _), by in found.items():
        most = max(by)
        part = by[1]["time"] / by[most]["time"] / most
        rows.append([Cell(by[1]["name"], by[1]["name"]), Cell(backend), cells.gbs(by[1]), cells.gbs(by[most]),
                     *(cells.speedup(by[1], by[many]) if many in by else Cell("") for many in numbers[1:]),
                     Cell(f"{100 * part:.0f} %", part)])
    heads = ["rung", "backend", "GB/s by 1", "by most", *(f"{many} {one}s" for many in numbers[1:]), "efficiency"]
    apart = any(row["run"] != by[1]["run"] for by in found.values() for row in by.values())
    skews = [row["release_skew"] for by in found.values() for row in by.values() if row["release_skew"] > 0]
    note = f"Times as fast as by one {one}; efficiency: that by the most, divided by how many they are."
    note += f" The {one}s were let go within {seconds(max(skews), math.inf)} of each other." if skews else ""
    note += cells.note_of_cubs(by[1] for by in found.values())
    return Table(identifier, title, heads, rows, note + cells.APART * apart, sides="ll" + "r" * (len(heads) - 2))


def figure_of(identifier, title, found, one):
    most = max(max(by) for by in found.values())
    shown = [Line("as many times as fast", [point(1, 1), point(most, most)], INK, [2, 2], dots=False)]
    for place, ((backend, _), by) in enumerate(found.items()):
        points = [point(many, by[1]["time"] / row["time"], f"{many} {one}s: {cells.speedup_text(by[1], row)}")
                  for many, row in by.items()]
        shown.append(Line(f"{by[1]['name']} on {backend}", points, *style_of(place)))
    words = [f"{by[1]['name']} on {backend}: {cells.speedup_text(by[1], by[max(by)])} by {max(by)} {one}s."
             for (backend, _), by in found.items()]
    powers = [1 << power for power in range(most.bit_length())]
    chart = lines_chart(shown, axis(f"{one}s", 2, powers), axis(f"times as fast as one {one}", 2, powers))
    return finish(chart, identifier, title, words)


def parts(view, rows, what):
    """A table for each problem, what is largest first; of the largest of each device a figure besides."""
    if rows.empty:
        return
    found = sorted(problems(rows, what), key=lambda one: (view.devices.index(one[1]["device"]), one[0], -one[2], *(
        one[1][name] for name in ("cache", "scope", "type", "op"))))
    drawn = set()
    for kind, first, size, lines in found:
        name = name_of(what, kind, first["device"], size, *(first[name] for name in BUT_SIZE))
        given = name, title_of(kind, first, size, what), lines, what[:-1]
        yield table_of(*given)
        if (kind, first["device"]) not in drawn:
            drawn.add((kind, first["device"]))
            yield figure_of(*given)


def section(view):
    return section_of("scaling", "Threads, devices, ranks",
                      "Strong scaling has the same number of elements in all, weak scaling the same number in each share. Both "
                      "are relative to one thread, device or rank.",
                      [*parts(view, by_threads(view), "threads"), *parts(view, by_shares(view), "shares")])
