"""Threads of a CPU: what more of them bring, from one to all, and what it costs to wake them where there is little to do."""

import math
import statistics

from .. import cells, scaled
from ..charts import COLOURS, Line, elements_axis, finish, lines_chart, point
from ..pairs import ASKED
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import elements, listed, problem_text, seconds
from ..view import ladder_order

LIMIT = 6  # figures of scaling a report; what is beyond has its table
SMALL = 1 << 18  # elements: up to here waking threads is in question, beyond what they bring
PAYS = 1.1  # times as fast as one thread
POLICIES = {"passive": ([], "sleep"), "active": ([2, 2], "spin")}
MODELS = ["OpenMP", "oneTBB", "Kokkos on OpenMP", "own threads"]  # in the order of their colours


def fact(view, row, name):
    found = (view.study.devices[row["run"], row["backend"]].get("facts") or {}).get(name)
    return found["value"] if found else None


def threads_of(view, row):
    """How many a measurement had: of those that name none, Kokkos has as many as its process was given."""
    if row["workers"] == row["workers"] and row["workers"]:
        return int(row["workers"])
    given = fact(view, row, "default workers") if row["backend"] == "kokkos/openmp" else None
    return int(given) if given else None


def model_of(row):
    if row["backend"] == "kokkos/openmp":
        return "Kokkos on OpenMP"
    return {"library_std_reduce": "oneTBB", "c13": "own threads"}.get(row["rung"], "OpenMP")


def measured(view):
    """What is right on CPUs by a known number of threads, with `threads` and `waits`, what OpenMP's idle threads do."""
    rows = view.right[(view.right["device_kind"] == "cpu") & (view.right["sort"] != "variant")]
    if not len(rows):
        return rows
    taken = as_rows(rows)
    rows = rows.assign(threads=[threads_of(view, row) for row in taken], waits=[fact(view, row, "wait policy") for row in taken])
    rows = rows.dropna(subset=["threads"]).astype({"threads": int})
    # The same in several runs: the one of the most numbers of threads, so that a ratio is of one process where it can be.
    same = ["device", "backend", "rung", *ASKED, "waits"]
    numbers = rows.groupby([*same, "run"], dropna=False)["threads"].transform("nunique")
    rows = rows.assign(numbers=numbers).sort_values(["numbers", "run", "time"], ascending=[False, False, True], kind="stable")
    return rows.drop_duplicates([*same, "threads"])


def by_threads(rows):
    """What scaled.lines makes of them; where idle threads do both, as they sleep."""
    return scaled.lines(as_rows(ladder_order(rows).sort_values("waits", key=lambda of: of == "active", kind="stable")), "threads")


def scaling(view, rows):
    """Figures of strong scaling, what is largest first, and tables of what is beyond their number."""
    problems = []
    for _, some in rows[rows["n"] > SMALL].groupby(["device", *ASKED], dropna=False, sort=False):
        if found := by_threads(some):
            problems.append((some.iloc[0], found))
    problems.sort(key=lambda one: (view.devices.index(one[0]["device"]), -one[0]["n"],
                                   *(one[0][name] for name in ("cache", "type", "op"))))
    for place, (first, found) in enumerate(problems):
        identifier = name_of("threads", first["device"], *(first[name] for name in ASKED))
        title = f"{first['device']}: {problem_text(first)}, by number of threads"
        yield (scaled.figure if place < LIMIT else scaled.table)(identifier, title, found, "thread")


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
    rows = rows[(rows["n"] <= SMALL) & (rows["cache"] == "hot") & rows["waits"].isin(POLICIES)]
    for (device, kind, operation), some in rows.groupby(["device", "type", "op"], sort=False):
        lines = {}
        for row in as_rows(ladder_order(some).sort_values("n", kind="stable")):
            line = lines.setdefault((row["backend"], row["rung"], row["waits"]), {})
            line.setdefault(row["threads"], {})[row["n"]] = row
        both = {key[:2] for key in lines if all((*key[:2], policy) in lines for policy in POLICIES)}
        lines = {key: line for key, line in sorted(lines.items())
                 if key[:2] in both and max(line) > 1 and len(line[max(line)]) > 1}
        if lines:
            yield waking_figure(view, device, name_of("waking", device, kind, operation), lines)


def waking_figure(view, device, identifier, lines):
    firsts = {key: next(iter(line[max(line)].values())) for key, line in lines.items()}
    first = next(iter(firsts.values()))
    title = f"{device}: {problem_text(first, sized=False)}, small inputs by all threads"
    sizes = sorted({n for line in lines.values() for n in line[max(line)]})
    table, words, runs, shown = [], [], {}, []
    for (backend, rung, policy), line in lines.items():
        most, row = line[max(line)], firsts[backend, rung, policy]
        model, (dashes, does) = model_of(row), POLICIES[policy]
        shown.append(Line(f"{model}: {rung.replace('library_', '')}, idle ones {does}", [
            point(n, one["time"] * 1e6, f"{elements(n)}: {cells.time(one).text}") for n, one in most.items()],
            COLOURS[MODELS.index(model)], dashes))
        from_n = pays_from(line[1], most) if 1 in line else None
        pays = Cell(elements(from_n), from_n) if from_n else Cell("never" if 1 in line else "not measured by one")
        table.append([Cell(row["name"], row["name"]), Cell(model), Cell(does), Cell(str(max(line)), max(line)),
                      *(cells.microseconds(most[n]) if n in most else Cell("") for n in sizes), pays])
        least = most[min(most)]
        words.append(f"{row['name']} ({model}) takes {cells.time(least).text} for {elements(least['n'])} elements where idle "
                     f"threads {does}.")
        runs[row["run"], row["backend"]] = does
    chart = lines_chart(shown, elements_axis(sizes), {"title": "time (µs)", "log": 10})
    floors = []
    for does in dict.fromkeys(runs.values()):
        found = [one["median"] for one in view.study.others["floor"] if runs.get((one["run"], one.get("backend", "cpu"))) == does
                 and one["what"] == "launch" and one["median"]]
        if found:
            floors.append(f"{seconds(statistics.median(found), math.inf)} where they {does}")
    note = ("Microseconds; pays from: the least number of elements from which on all threads are a tenth faster than one. Idle "
            "threads are OpenMP's: those of oneTBB and c13 do as they do.")
    if floors:
        note += f" An empty parallel region of OpenMP: {listed(floors)}."
    heads = ["rung", "model", "idle threads", "threads", *map(elements, sizes), "pays from"]
    return finish(chart, Table(identifier, title, heads, table, note, sides="lll" + "r" * (len(heads) - 3)), words)


def section(view):
    rows = measured(view)
    if not len(rows):
        return None
    return section_of("threads", "Threads",
                      "What more threads bring is decided by the memory where the input is large, and by starting them where it "
                      "is small. OpenMP's idle threads sleep or spin, as OMP_WAIT_POLICY says.",
                      [*scaling(view, rows), *waking(view, rows)])
