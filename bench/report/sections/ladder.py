"""The ladder: time, GB/s, fractions of peak and ceiling, and steps for each backend and problem."""

import collections

import pandas

from .. import cells
from ..charts import BACKENDS
from ..pairs import ASKED, fastest, key_of, pairs
from ..parts import Cell, Section, Table
from ..study import as_rows
from ..text import elements, listed, problem_text
from ..view import ladder_order, native_of

ASKED_HEADS = {"machine": "device", "type": "type", "operation": "op", "elements": "n", "data": "data", "cache": "cache",
               "scope": "scope"}  # {head: field of a measurement}
TEXT = "The fastest tuning of each rung, of the run that measured the most beside it."
HEADS = ["rung", "tuning", "time", "GB/s", "% of peak", "% of ceiling", "step", "total", "spread", "checked", "±"]
NOTE = ("step: speed relative to the nearest measured rung that it changes; total: relative to r02 (c00). Spread: 5th to 95th "
        "percentile, relative to the time. Above 100 % of the peak the input comes from a cache. vs native: speed relative to "
        "the same rung of the native model, or where it has none to its fastest rung (named).")


def beside_native(view):
    """{(run, id): speed relative to the native model's on the same problem}: to the same rung in the same run, else in the
    latest; without such a rung to the model's fastest in the same run, which is named."""
    found = {}
    for device in view.devices:
        rows, settled = view.right[view.right["device"] == device], view.on(device)
        native = native_of(rows.loc[rows["sort"] != "variant", "backend"])
        own = rows[(rows["backend"] == native) & (rows["sort"] == "rung")]
        others = settled[(settled["backend"] != native) & (settled["sort"] != "variant")]
        best = {}
        for row in as_rows(fastest(own)):
            best.setdefault((row["run"], key_of(row)), row)
        for row in as_rows(others):
            if one := best.get((row["run"], key_of(row))):
                found[row["run"], row["id"]] = cells.part_of(one, row, f", {one['rung']}")
        found |= {(row["run"], row["id"]): cells.part_of(one, row) for one, row in pairs(own, others)}
    return found


def asked_of(row, *but):
    """Machine and problem of a row, except the columns `but`."""
    return {head: Cell(elements(row[name]), int(row[name])) if name == "n" else Cell(row[name])
            for head, name in ASKED_HEADS.items() if head not in but}


def in_order(view, rows):
    """Rows by machine and problem, then along the ladder, each rung on every backend."""
    machines, backends = ({name: place for place, name in enumerate(names)} for names in (view.devices, BACKENDS))
    rows = rows.assign(machine_place=rows["device"].map(machines), model=rows["backend"].map(backends))  # unknown ones last
    rows = ladder_order(rows.sort_values("model", kind="stable"))
    return as_rows(rows.sort_values(["machine_place", *ASKED], kind="stable"))


def lines_of(view, rows):
    """Cells of each row: request, results, comparisons."""
    known = {key_of(row, "backend", "rung"): row for row in as_rows(view.settled)}
    parts, runs = beside_native(view), collections.defaultdict(list)
    for row in rows:
        runs[key_of(row, "backend")].append(row["run"])
    for row in rows:
        key = key_of(row, "backend")
        base, start = (known.get((*key, row[name])) for name in ("base", "start"))
        line = cells_of(row, base, start, "separate" if row["run"] != most_common(runs[key]) else "")
        yield asked_of(row) | {"backend": row["backend"]} | line | {
            "rung": cells.called(row), "vs native": parts.get((row["run"], row["id"]), "")}


def section(view):
    """One table: a row per rung and problem. Rows that are not right have a status instead of a time."""
    spoiled = view.rows[view.rows["status"] != "right"]
    frame = pandas.concat([view.standing, spoiled]) if len(spoiled) else view.standing
    rows = in_order(view, frame.drop_duplicates(["device", "backend", "rung", *ASKED]))
    if not rows:
        return None
    table, processes = Table("ladder", "Every rung on every problem", lines_of(view, rows)), [row["processes"] for row in rows]
    table.extra, table.note = rows, NOTE + cells.of_processes(processes)
    if max(processes) > 1:
        table.note += " ±: half of that interval, relative to the time; in brackets the number of processes."
    table.note += cells.apart(table)
    if any((row["of_ceiling"] or 0) > cells.OVER for row in rows):
        table.note += cells.NOTE_ABOVE
    return Section("ladder", "The ladder", TEXT, [table])


def cells_of(row, base, start, state=""):
    """Cells for HEADS; `base` and `start` are the baselines of step and total, if known."""
    found = {"rung": cells.named(row), "tuning": row["tuning"], "checked": cells.checked(row)}
    if row["status"] == "right":
        found |= {"time": cells.time(row, state), "GB/s": cells.gbs(row), "% of peak": cells.of_peak(row),
                  "% of ceiling": cells.of_ceiling(row), "step": ratio(base, row, named=True), "total": ratio(start, row),
                  "spread": cells.spread(row), "±": cells.between(row)}
    return dict.fromkeys(HEADS, "") | found


def ratio(slow, fast, named=False):
    if slow is None or slow["rung"] == fast["rung"] or slow["run"] != fast["run"]:
        return Cell("")
    return cells.speedup(slow, fast, f" {slow['rung']}" if named else "")


def most_common(runs):
    return collections.Counter(runs).most_common(1)[0][0]


def wrong_by_mistake(rows):
    """Rows that are not right but should be: an erratum is wrong on purpose."""
    return rows[(rows["status"] != "right") & ~(rows["rung"].str.startswith("erratum_") & (rows["status"] == "wrong"))]


def spoiled(view):
    """Section of all rows that are not right, in any tuning, with their status; None if all are right."""
    rows = wrong_by_mistake(view.all)
    if rows.empty:
        return None
    said = listed(f"{count} {status}" for status, count in rows["status"].value_counts().items())
    lines = [{"rung": cells.named(row), "backend": row["backend"], "tuning": row["tuning"],
              "problem": ", ".join(filter(None, [problem_text(row), row["shape"]])), "device": str(row["device"]),
              "what it is": cells.checked(row)} for row in as_rows(ladder_order(rows))]
    return Section("spoiled", "Not right", f"Of {len(view.all)} measurements {said}. None has a time on this page.", [
        Table("spoiled", f"Not right: {said}", lines)])
