"""Speed-up by more threads, devices or ranks relative to one: with constant total size (strong scaling) and with constant size
per share (weak)."""

import math

from .. import cells
from ..charts import INK, Line, axis, finish, lines_chart, point, style_of
from ..pairs import ASKED
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import bytes_text, elements, problem_text, seconds
from ..view import ladder_order
from .ladder import asked_of

SMALL = 1 << 18  # elements: up to here waking threads dominates
BUT_SIZE = [name for name in ASKED if name != "n"]
KINDS = {"threads": ["strong"], "shares": ["strong", "weak"]}


def threads_of(view, row):
    """Number of threads of a measurement; for Kokkos rows without it the default of its process."""
    if row["workers"] == row["workers"] and row["workers"]:
        return int(row["workers"])
    facts = view.study.devices[row["run"], row["backend"]].get("facts") or {}
    given = facts.get("default workers") if row["backend"] == "kokkos/openmp" else None
    return int(given["value"]) if given else None


def counted(view, what):
    """Right rows with `many`: number of CPU threads, or of shares. Of several runs the one with the most numbers, so that
    ratios are from one process if possible; of several tunings the fastest."""
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
    """The row with its time divided by the number of shares."""
    return row | {"time": row["time"] / row["many"],
                  "by_process": {run: one / row["many"] for run, one in row["by_process"].items()}}


def problems(view, what):
    """(weak or strong, first row, elements in total or per share, {(backend, rung): {number: row}}) of problems measured with
    one and with more; largest first."""
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


def line_of(what, by, numbers):
    """Cells for the rows of one rung or library, {number: row}."""
    first, most, last = by[1], max(by), by[max(by)]
    part = first["time"] / last["time"] / most
    skew = max((row["release_skew"] for row in by.values() if row["release_skew"] > 0), default=0)
    return {"backend": first["backend"], "rung": first["name"], "GB/s by 1": cells.gbs(first), "GB/s by most": cells.gbs(last),
            **{f"{many} {what}": cells.speedup(first, by[many]) if many in by else "" for many in numbers},
            "efficiency": Cell(f"{100 * part:.0f} %", part, cells.trace_of(first, last)),
            "release skew": Cell(seconds(skew, math.inf), skew, cells.trace_of(*by.values())) if skew else ""}


def table_of(what, all_found):
    """One table: a row per rung or library and problem; for weak scaling the elements are per share."""
    shown = [by for *_, found in all_found for by in found.values()]
    numbers = sorted(set().union(*shown) - {1})
    table = Table(what, f"By number of {what}", [asked_of(first | {"n": size}) | {"scaling": kind} | line_of(what, by, numbers)
                                                 for kind, first, size, found in all_found for by in found.values()])
    table.note = (f"Times as fast as by one {what[:-1]}; efficiency: that by the most, divided by how many they are."
                  + cells.note_of_cubs(by[1] for by in shown) + cells.apart(table))
    return table.without_same("release skew")


def title_of(kind, first, size, what):
    if kind == "strong":
        return f"{first['device']}: {problem_text(first)}, " + (f"by number of {what}" if what == "threads" else "strong scaling")
    each = f"{elements(size)} elements ({bytes_text(int(first['bytes'] // first['many']))}) in each {what[:-1]}"
    return f"{first['device']}: {problem_text(first, sized=False)}, {each}, weak scaling"


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
    """A table for threads and one for shares; for each device a figure of the largest problem with more than two points."""
    parts, drawn = [], set()
    for what in KINDS:
        found = problems(view, what)
        parts += [table_of(what, found)] if found else []
        for kind, first, size, lines in found:
            if (what, kind, first["device"]) not in drawn and max(map(len, lines.values())) > 2:
                drawn.add((what, kind, first["device"]))
                name = name_of(what, kind, first["device"], size, *(first[name] for name in BUT_SIZE))
                parts.append(figure_of(name, title_of(kind, first, size, what), lines, what[:-1]))
    return section_of("scaling", "Threads, devices, ranks",
                      "Strong scaling has the same number of elements in all, weak scaling the same number in each share. Both "
                      "are relative to one thread, device or rank.", parts)
