"""The ladder: of each backend on each problem time, GB/s, parts of peak and ceiling, steps."""

import collections

from .. import cells
from ..charts import BACKENDS
from ..pairs import ASKED, fastest, key_of, pairs
from ..parts import Cell, Section, Table, name_of, section_of
from ..study import as_rows
from ..text import listed, problem_text
from ..view import ladder_order, native_of

BESIDE = "vs native"
NOTE_BESIDE = (f" {BESIDE}: speed relative to the same rung of the native model, or where it has none to its fastest "
               "rung (named).")
HEADS = ["rung", "tuning", "time", "GB/s", "% of peak", "% of ceiling", "step", "total", "spread", "checked", "±"]
NOTE = ("step: speed relative to the nearest measured rung that it changes; total: relative to r02 (c00). Spread: 5th to 95th "
        "percentile, relative to the time. Above 100 % of the peak the input comes from a cache.")


def beside_native(view):
    """{(run, id): the speed as a part of the native model's on the same problem}: of the same rung in the same run, else in
    another; where the native model has no such rung, of its fastest in the same run, which is named."""
    found = {}
    for device in view.devices:
        rows = view.right[(view.right["device"] == device) & (view.right["sort"] != "variant")]
        native, rungs = native_of(rows["backend"]), rows[rows["sort"] == "rung"]
        own, others = (rungs[of] for of in (rungs["backend"] == native, rungs["backend"] != native))
        apart = {(other["run"], other["id"]): row for row, other in pairs(own, others)}
        same, best = {}, {}
        for row in as_rows(fastest(own)):
            same[row["run"], key_of(row, "rung")] = row
            best.setdefault((row["run"], key_of(row)), row)
        for row in as_rows(view.on(device)):
            named = (row["run"], row["id"])
            of_rung = same.get((row["run"], key_of(row, "rung"))) or apart.get(named)
            one = of_rung or best.get((row["run"], key_of(row)))
            if one and row["backend"] != native and row["sort"] != "variant":
                found[named] = cells.part_of(one, row, "" if of_rung else f", {one['rung']}")
    return found


def table_of(rows, spoiled, parts):
    """`rows`: of one backend on one problem, along the ladder. What is not right stands in it with what it is instead of a time.
    `parts`: of beside_native."""
    problem, main = rows[0], main_run(rows)
    backend = problem["backend"]
    by_rung, runs = {row["rung"]: row for row in rows}, {row["run"] for row in rows}
    spoiled = {row["rung"]: row for row in spoiled if row["run"] in runs and row["rung"] not in by_rung}
    start = next((by_rung[rung] for rung in ("r02", "c00") if rung in by_rung), None)
    lines = []
    for row in rows:
        lines.append(line_with(row, ratio(by_rung.get(row["base"]), row, named=True), ratio(start, row),
                               "separate" if row["run"] != main else ""))
    processes = [row["processes"] for row in rows]
    heads, lines = as_known(processes, lines + [spoiled_line(row) for row in spoiled.values()])
    lines = [[*line, parts.get((row["run"], row["id"]), Cell(""))] for line, row in zip(lines, [*rows, *spoiled.values()])]
    doubt = cells.of_processes(processes)
    doubt += " ±: half of that interval, relative to the time; in brackets the number of processes." * (heads == HEADS)
    apart = len(runs) > 1 or any("separate" in line[-1].state for line in lines)
    weak = cells.NOTE_ABOVE * any(row["of_ceiling"] > cells.OVER for row in rows)
    return Table(name_of("ladder", backend, problem["device"], *(problem[name] for name in ASKED)),
                 f"{backend} on {problem['device']}: {problem_text(problem)}", [*heads, BESIDE],
                 lines, NOTE + NOTE_BESIDE + doubt + cells.APART * apart + weak + cells.note_of_cubs([*rows, *spoiled.values()]),
                 about={"backend": backend, **{name: problem[name] for name in ("device", *ASKED)}},
                 extra=rows)


def line_with(row, step, total, state=""):
    """The cells under HEADS, of what was right."""
    return [cells.named(row), Cell(row["tuning"]), cells.time(row, state), cells.gbs(row), cells.of_peak(row),
            cells.of_ceiling(row), step, total, cells.spread(row), cells.checked(row), cells.between(row)]


def as_known(processes, lines):
    """(heads, lines); where nothing is of several processes the last column, half of the interval between them, is left out."""
    columns = len(HEADS) - (max(processes) < 2)
    return HEADS[:columns], [line[:columns] for line in lines]


def ratio(slow, fast, named=False):
    if slow is None or slow["rung"] == fast["rung"] or slow["run"] != fast["run"]:
        return Cell("")
    return cells.speedup(slow, fast, f" {slow['rung']}" if named else "")


def spoiled_line(row):
    return [cells.named(row), Cell(row["tuning"]), *[Cell("")] * 7, cells.checked(row), Cell("")]


def backend_order(backend):
    return BACKENDS.index(backend) if backend in BACKENDS else len(BACKENDS), backend


def main_run(rows):
    """The run that most of the rows come from."""
    return collections.Counter(row["run"] for row in rows).most_common(1)[0][0]


def grouped(rows):
    """The rows, along the ladder, by problem and backend."""
    found = {}
    for row in as_rows(ladder_order(rows)):
        found.setdefault(key_of(row, "backend"), []).append(row)
    return found


def section(view):
    """Every ladder, those of the headline problems first."""
    parts, spoiled = beside_native(view), grouped(view.rows[view.rows["status"] != "right"])
    speak = {key for rows in view.headlines.values() for key in grouped(rows)}

    def place(item):
        key, (first, *_) = item
        return (key not in speak, view.devices.index(first["device"]), backend_order(first["backend"]), first["data"] != "exact",
                first["type"], first["op"], first["scope"], first["cache"], -first["n"], -len(item[1]))

    return section_of("ladders", "Every ladder", "Each rung of each backend, on the problem named above its table.",
                      [table_of(rows, spoiled.get(key, ()), parts)
                       for key, rows in sorted(grouped(view.settled).items(), key=place)])


def wrong_by_mistake(rows):
    """What is not right and was to be: an erratum is wrong on purpose."""
    return rows[(rows["status"] != "right") & ~(rows["rung"].str.startswith("erratum_") & (rows["status"] == "wrong"))]


def listing(identifier, title, rows):
    """What is not right, whatever its tuning, with what it is instead of a time."""
    lines = [[cells.named(row), Cell(row["backend"]), Cell(row["tuning"]), Cell(problem_text(row)), Cell(str(row["device"])),
              cells.checked(row)] for row in as_rows(ladder_order(rows))]
    return Table(identifier, title, ["rung", "backend", "tuning", "problem", "device", "what it is"], lines)


def spoiled(view):
    """All that is not right, and apart from it what is wrong on purpose; nothing where all is right."""
    rows, tables, text = wrong_by_mistake(view.rows), [], ""
    errata = view.rows[(view.rows["status"] != "right") & ~view.rows.index.isin(rows.index)]
    if len(rows):
        counts = rows["status"].value_counts()
        said = listed(f"{count} {status}" for status, count in counts.items())
        tables.append(listing("spoiled", f"Not right: {said}", rows))
        text = f"Of {len(view.rows)} measurements {said}. None of these has a time, here or anywhere on this page."
    if len(errata):
        tables.append(listing("errata", f"Errata: {len(errata)} measurements of rungs that are wrong on purpose were found wrong",
                              errata))
    return Section("spoiled", "Not right" if len(rows) else "Wrong on purpose", text, tables) if tables else None
