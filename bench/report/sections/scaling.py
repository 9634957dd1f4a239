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
KINDS = {"threads": ["strong"], "shares": ["strong", "weak"]}


def threads_of(view, row):
    """How many a measurement had: of those that name none, Kokkos has as many as its process was given."""
    if row["workers"] == row["workers"] and row["workers"]:
        return int(row["workers"])
    facts = view.study.devices[row["run"], row["backend"]].get("facts") or {}
    given = facts.get("default workers") if row["backend"] == "kokkos/openmp" else None
    return int(given["value"]) if given else None


def counted(view, what):
    """What is right, with `many`: how many threads of a CPU it had, or in how many shares it was. Of the same in several runs
    that of the one with the most numbers, so that a ratio is of one process where it can be; of several tunings the fastest."""
    rows = view.right
    if what == "threads":
        rows = rows[(rows["device_kind"] == "cpu") & (rows["sort"] != "variant") & (rows["n"] > SMALL)]
        rows = rows.assign(many=[threads_of(view, row) for row in as_rows(rows)])
    else:
        rows = rows.assign(many=rows.get("shares"))
    rows, same = rows.dropna(subset=["many"]).astype({"many": int}), ["device", "backend", "rung", *BUT_SIZE]
    rows = rows.assign(numbers=rows.groupby([*same, "run"], dropna=False)["many"].transform("nunique"))
    rows = rows.sort_values(["numbers", "run", "time"], ascending=[False, False, True], kind="stable")
    return ladder_order(rows.drop_duplicates([*same, "n", "many"]).sort_values(["backend", "many"], kind="stable"))


def of_each(row):
    """A row in the time that it takes for what one share has."""
    return row | {"time": row["time"] / row["many"],
                  "by_process": {run: one / row["many"] for run, one in row["by_process"].items()}}


def problems(view, what):
    """(weak or strong, the first row, how many elements in all or in each, {(backend, rung): {how many: row}}) of what was
    measured by one and by more; what is largest first."""
    rows, all_found = counted(view, what), []
    for kind in KINDS[what]:
        weak = kind == "weak"
        some = rows[rows["n"] % rows["many"] == 0] if weak else rows
        some = some.assign(size=some["n"] // some["many"] if weak else some["n"])
        for (*_, size), alike in some.groupby(["device", *BUT_SIZE, "size"], dropna=False, sort=False):
            found = {}
            for row in as_rows(alike.sort_values("many", kind="stable")):
                found.setdefault((row["backend"], row["rung"]), {}).setdefault(row["many"], of_each(row) if weak else row)
            found = {key: found[key] for key in dict.fromkeys(zip(alike["backend"], alike["rung"], strict=True))
                     if 1 in found[key] and len(found[key]) > 1}
            if found:
                all_found.append((kind, as_rows(alike.head(1))[0], size, found))
    return sorted(all_found, key=lambda one: (view.devices.index(one[1]["device"]), one[0], -one[2], *(
        one[1][name] for name in ("cache", "scope", "type", "op"))))


def title_of(kind, first, size, what):
    if kind == "strong":
        return f"{first['device']}: {problem_text(first)}, " + (f"by number of {what}" if what == "threads" else "strong scaling")
    each = f"{elements(size)} elements ({bytes_text(int(first['bytes'] // first['many']))}) in each {what[:-1]}"
    return f"{first['device']}: {problem_text(first, sized=False)}, {each}, weak scaling"


def table_of(identifier, title, found, one):
    numbers = sorted({many for by in found.values() for many in by})
    rows = []
    for (backend, _), by in found.items():
        most = max(by)
        part = by[1]["time"] / by[most]["time"] / most
        rows.append([Cell(by[1]["name"], by[1]["name"]), Cell(backend), cells.gbs(by[1]), cells.gbs(by[most]),
                     *(cells.speedup(by[1], by[many]) if many in by else Cell("") for many in numbers[1:]),
                     Cell(f"{100 * part:.0f} %", part, cells.trace_of(by[1], by[most]))])
    heads = ["rung", "backend", "GB/s by 1", "by most", *(f"{many} {one}s" for many in numbers[1:]), "efficiency"]
    alike = [row for by in found.values() for row in by.values()]
    skews = [row["release_skew"] for row in alike if row["release_skew"] > 0]
    note = f"Times as fast as by one {one}; efficiency: that by the most, divided by how many they are."
    note += f" The {one}s were let go within {seconds(max(skews), math.inf)} of each other." if skews else ""
    note += cells.note_of_cubs(by[1] for by in found.values()) + cells.apart(rows)
    return Table(identifier, title, heads, rows, note, sides="ll" + "r" * (len(heads) - 2))


def figure_of(identifier, title, found, one):
    most = max(max(by) for by in found.values())
    shown, words = [Line("as many times as fast", [point(1, 1), point(most, most)], INK, [2, 2], dots=False)], []
    for place, ((backend, _), by) in enumerate(found.items()):
        points = [point(many, by[1]["time"] / row["time"], f"{many} {one}s: {cells.speedup_text(by[1], row)}")
                  for many, row in by.items()]
        shown.append(Line(f"{by[1]['name']} on {backend}", points, *style_of(place)))
        words.append(f"{by[1]['name']} on {backend}: {cells.speedup_text(by[1], by[max(by)])} by {max(by)} {one}s.")
    powers = [1 << power for power in range(most.bit_length())]
    chart = lines_chart(shown, axis(f"{one}s", 2, powers), axis(f"times as fast as one {one}", 2, powers))
    return finish(chart, identifier, title, words)


def section(view):
    """A table for each problem; of the largest of each device a figure besides."""
    parts, drawn = [], set()
    for what in KINDS:
        for kind, first, size, lines in problems(view, what):
            name = name_of(what, kind, first["device"], size, *(first[name] for name in BUT_SIZE))
            given = name, title_of(kind, first, size, what), lines, what[:-1]
            parts += [table_of(*given)] + [figure_of(*given)] * ((what, kind, first["device"]) not in drawn)
            drawn.add((what, kind, first["device"]))
    return section_of("scaling", "Threads, devices, ranks",
                      "Strong scaling has the same number of elements in all, weak scaling the same number in each share. Both "
                      "are relative to one thread, device or rank.", parts)
