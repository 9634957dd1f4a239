"""What more threads, devices or ranks bring, as many times the speed of one: where the elements are as many (strong scaling) and
where each has as many (weak); and what it costs to wake a CPU's threads for little work."""

import math

from .. import cells
from ..charts import INK, Line, counts_axis, finish, lines_chart, of_rung, point
from ..pairs import ASKED
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import bytes_text, elements, problem_text, seconds
from ..view import ladder_order

FIGURES = 6  # of each kind; what is beyond has its table
SMALL = 1 << 18  # elements: up to here waking threads is in question, beyond what they bring
PAYS = 1.1  # times as fast as one thread
DOES = {"passive": "sleep", "active": "spin"}  # OpenMP's idle threads, by OMP_WAIT_POLICY
BUT_SIZE = [name for name in ASKED if name != "n"]


def fact(view, row, name):
    found = (view.study.devices[row["run"], row["backend"]].get("facts") or {}).get(name)
    return found["value"] if found else None


def threads_of(view, row):
    """How many a measurement had: of those that name none, Kokkos has as many as its process was given."""
    if row["workers"] == row["workers"] and row["workers"]:
        return int(row["workers"])
    given = fact(view, row, "default workers") if row["backend"] == "kokkos/openmp" else None
    return int(given) if given else None


def once(rows, same, what):
    """Of the same in several runs that of the one with the most numbers of `what`, so that a ratio is of one process where it
    can be; of several tunings the fastest."""
    numbers = rows.groupby([*same, "run"], dropna=False)[what].transform("nunique")
    rows = rows.assign(numbers=numbers).sort_values(["numbers", "run", "time"], ascending=[False, False, True], kind="stable")
    return rows.drop_duplicates([*same, "n", what])


def by_threads(view):
    """What is right on CPUs by a known number of threads, with `threads` and `waits`, what OpenMP's idle threads do."""
    rows = view.right[(view.right["device_kind"] == "cpu") & (view.right["sort"] != "variant")]
    taken = as_rows(rows)
    rows = rows.assign(threads=[threads_of(view, row) for row in taken], waits=[fact(view, row, "wait policy") for row in taken])
    return once(rows.dropna(subset=["threads"]).astype({"threads": int}),
                ["device", "backend", "rung", *BUT_SIZE, "waits"], "threads")


def by_shares(view):
    """What is right and says how many shares it was in."""
    rows = view.right
    if "shares" not in rows:
        return rows.iloc[:0]
    rows = rows[rows["shares"].notna()].astype({"shares": int})
    rows = once(rows, ["device", "backend", "rung", *BUT_SIZE], "shares")
    return rows.sort_values(["rung", "backend", "shares"], kind="stable")


def lines_of(rows, what):
    """{(backend, rung): {how many: row}} of what was measured by one and by more; of the same number the first of the rows."""
    found = {}
    for row in rows:
        found.setdefault((row["backend"], row["rung"]), {}).setdefault(int(row[what]), row)
    return {key: dict(sorted(by.items())) for key, by in found.items() if 1 in by and len(by) > 1}


def of_each(row):
    """A row in the time that it takes for what one share has."""
    return row | {"time": row["time"] / row["shares"],
                  "by_process": {run: one / row["shares"] for run, one in row["by_process"].items()}}


def strong(rows, what):
    """(first row, its lines, what tells it from others, its title) for each number of elements in all."""
    for _, some in rows.groupby(["device", *ASKED], dropna=False, sort=False):
        if found := lines_of(as_rows(some), what):
            yield some.iloc[0], found, some["n"].iloc[0], problem_text(some.iloc[0])


def weak(rows, what):
    """The same for each number of elements in a share."""
    rows = rows[rows["n"] % rows[what] == 0]
    for (_, *_, each), some in rows.assign(each=rows["n"] // rows[what]).groupby(["device", *BUT_SIZE, "each"], dropna=False,
                                                                                 sort=False):
        first = some.iloc[0]
        size = f", {elements(each)} elements ({bytes_text(int(first['bytes'] // first[what]))}) in each {what[:-1]}"
        if found := lines_of(map(of_each, as_rows(some)), what):
            yield first, found, each, problem_text(first, sized=False) + size


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
    return Table(identifier, title, heads, rows, note + cells.APART * apart, sides="ll" + "r" * (len(heads) - 2))


def figure_of(table, found, one):
    most = max(max(by) for by in found.values())
    shown = [Line("as many times as fast", [point(1, 1), point(most, most)], INK, [2, 2], dots=False, end="linear")]
    for place, ((backend, _), by) in enumerate(found.items()):
        line = of_rung(by[1], [point(many, by[1]["time"] / row["time"], f"{many} {one}s: {cells.speedup_text(by[1], row)}")
                               for many, row in by.items()], place)
        shown.append(line if backend == "cpu" else line._replace(name=f"{line.name} on {backend}", end=f"{line.end} ({backend})"))
    words = [f"{by[1]['name']} on {backend}: {cells.speedup_text(by[1], by[max(by)])} by {max(by)} {one}s."
             for (backend, _), by in found.items()]
    chart = lines_chart(shown, counts_axis(f"{one}s", [1 << power for power in range(most.bit_length())]),
                        {"title": f"times as fast as one {one}", "log": 2})
    return finish(chart, table, words)


def parts(view, rows, what, kinds):
    """A table for each problem, what is largest first; of the first ones a figure besides."""
    if rows.empty:
        return
    problems = [(first, found, kind.__name__, size, title) for kind in kinds for first, found, size, title in kind(rows, what)]
    problems.sort(key=lambda one: (view.devices.index(one[0]["device"]), one[2], -one[3],
                                   *(one[0][name] for name in ("cache", "scope", "type", "op"))))
    for place, (first, found, kind, size, title) in enumerate(problems):
        named = [kind] if len(kinds) > 1 else []
        identifier = name_of(what, *named, first["device"], *([size] if named else []),
                             *(first[name] for name in (BUT_SIZE if named else ASKED)))
        title += f", {kind} scaling" if named else f", by number of {what}"
        table = table_of(identifier, f"{first['device']}: {title}", found, what[:-1])
        yield figure_of(table, found, what[:-1]) if place < FIGURES else table


def pays_from(one, all_of_them):
    """The least size from which on many threads are faster than one, beyond noise, at every size that both were measured at."""
    found = None
    for n in sorted(set(one) & set(all_of_them), reverse=True):
        if PAYS * all_of_them[n]["time"] > one[n]["time"]:
            break
        found = n
    return found


def waking(view, rows):
    """Small inputs in cache by all threads: a line for each model and for each thing that idle threads can do."""
    rows = rows[(rows["n"] <= SMALL) & (rows["cache"] == "hot") & rows["waits"].isin(DOES)]
    for (device, kind, operation), some in rows.groupby(["device", "type", "op"], sort=False):
        some = some[some.groupby(["backend", "rung"])["waits"].transform("nunique") > 1]  # held against each other
        sizes, lines, floors = sorted(some["n"].unique()), [], {}
        for (_, _, waits), line in ladder_order(some).groupby(["backend", "rung", "waits"], sort=False):
            by = {threads: {row["n"]: row for row in as_rows(one)} for threads, one in line.groupby("threads")}
            most, first = by[max(by)], line.iloc[0]
            if max(by) < 2 or len(most) < 2:
                continue
            pays = pays_from(by[1], most) if 1 in by else None
            lines.append([Cell(first["name"], first["name"]), Cell(first["backend"]), Cell(DOES[waits]),
                          Cell(str(max(by)), max(by)), *(cells.microseconds(most[n]) if n in most else Cell("") for n in sizes),
                          Cell(elements(pays) if pays else "never" if 1 in by else "not measured by one", pays)])
            for floor in view.study.others["floor"]:
                if (floor["run"], floor["what"]) == (first["run"], "launch") and floor["median"]:
                    floors[DOES[waits]] = floor["median"]
        if lines:
            note = ("Microseconds; pays from: the least number of elements from which on all threads are a tenth faster than "
                    "one. Idle threads are OpenMP's: those of oneTBB and c13 do as they do.")
            note += "".join(f" An empty parallel region of OpenMP takes {seconds(floor, math.inf)} where they {does}."
                            for does, floor in floors.items())
            heads = ["rung", "backend", "idle threads", "threads", *map(elements, sizes), "pays from"]
            yield Table(name_of("waking", device, kind, operation),
                        f"{device}: {problem_text(some.iloc[0], sized=False)}, small inputs by all threads", heads, lines, note,
                        sides="lll" + "r" * (len(heads) - 3))


def section(view):
    threads = by_threads(view)
    ordered = ladder_order(threads[threads["n"] > SMALL].sort_values("waits", key=lambda of: of == "active", kind="stable"))
    return section_of("scaling", "Threads, devices, ranks",
                      "What more of them bring is decided by the memory where the input is large, and by starting them where it "
                      "is small. Strong scaling has as many elements in all, weak scaling as many in each share: what is shown "
                      "then is how many times the bandwidth of one share is reached.",
                      [*parts(view, ordered, "threads", [strong]), *parts(view, by_shares(view), "shares", [strong, weak]),
                       *waking(view, threads)])
