"""Tables of one records file: a whole problem, matrices over an axis, comparisons of backends and rungs."""

import dataclasses
import sys

import pandas

from .. import cells
from ..pairs import key_of
from ..parts import Cell, Table
from ..sections import sweeps
from ..sections.ladder import cells_of
from ..text import bytes_text, elements, listed, problem_text

VALUES = {"gbs": ("GB/s", lambda row: cells.gbs(row, most=3)),
          "of_ceiling": ("% of the ceiling", lambda row: cells.of_ceiling(row, unknown="unknown")),
          "time": ("µs", lambda row: cells.microseconds(row, most=3))}
PROBLEM = ("type", "op", "scope", "cache", "data", "place")  # fields that must match in a ratio, besides n


def only(records, rows):
    """Names the backend of a table if the records hold several and no column shows it."""
    backends = {row["backend"] for row in rows}
    return f", {backends.pop()}" if len(backends) == 1 < len(records.backends) else ""


def by_key(records, rows, *names):
    """{the fields of these names: the row with them}; exits if several rows match."""
    found = {}
    for row in rows:
        if row is not found.setdefault(tuple(row[name] for name in names), row):
            sys.exit(f"{records.path}: two measurements of {row['name']} on {row['backend']} for one cell: narrow the selection")
    return found


def one_problem(records, rows):
    """The common problem of these measurements, as text; exits if they differ."""
    for field in PROBLEM:
        values = list(dict.fromkeys(str(row[field]) for row in rows))
        if len(values) > 1:
            sys.exit(f"{records.path}: {listed(values)} in one table: narrow the selection with {field}=")
    return problem_text(rows[0], sized=False)


def problem_table(records, n, columns="", **wanted):
    """A whole problem, or these columns of it: comma-separated heads, with _ for a blank."""
    rows, right_ones = records.select(n=n, **wanted), [row for row in records.rows if row["status"] == "right"]
    slowest_first = sorted(right_ones, key=lambda row: row["time"], reverse=True)
    fastest = {key_of(row, "backend", "rung"): row for row in slowest_first}
    lines = [{"backend": row["backend"]} | cells_of(row, *(
        fastest.get((*key_of(row, "backend"), row[name])) for name in ("base", "start"))) for row in rows]
    ceilings = dict.fromkeys(cells.ceiling_gbs(row) for row in rows if row["ceiling_where"])
    title = problem_text(rows[0]) + only(records, rows) + "".join(f"; read-only ceiling {gbs} GB/s" for gbs in ceilings)
    table = Table("", title, lines, records.source()).without_same("backend")
    if columns:
        heads = [head for head in table.heads if head == "backend"] + columns.replace("_", " ").split(",")
        return dataclasses.replace(table.with_columns(heads), title="", note=records.in_short({row["rung"] for row in rows}))
    return table if any(row["processes"] > 1 for row in rows) else table.with_columns(table.heads[:-1])  # omit the interval


def matrix(records, title, rows, over, cell_of):
    """Rungs as rows, values of the field `over` as columns, sorted if numeric."""
    across, lines = list(dict.fromkeys(row[over] for row in rows)), {}
    across = across if isinstance(across[0], str) else sorted(across)
    for (backend, name, at), row in by_key(records, rows, "backend", "name", over).items():
        lines.setdefault((backend, name), {})[at] = cell_of(row) if row["status"] == "right" else cells.checked(row)
    shown = [{"backend": backend, "rung": name} | {
        elements(at) if over == "n" else str(at): line.get(at, "") for at in across} for (backend, name), line in lines.items()]
    return Table("", title, shown, records.source()).without_same("backend")


def sizes_table(records, value, **wanted):
    rows, (unit, cell_of) = records.select(**wanted), VALUES[value]
    title = f"{problem_text(rows[0], sized=False)}{only(records, rows)}: {unit} by number of elements"
    return matrix(records, title, rows, "n", cell_of)


def cases_table(records, value, **wanted):
    rows, (unit, cell_of) = records.select(**wanted), VALUES[value]
    rows = [row | {"case": f"{row['type']} {row['op']}"} for row in rows]
    size = bytes_text(rows[0]["bytes"]) if len({row["bytes"] for row in rows}) == 1 else f"n = {elements(rows[0]['n'])}"
    title = f"{size}, {rows[0]['cache']}, {rows[0]['scope']} scope{only(records, rows)}: {unit}"
    return matrix(records, title, rows, "case", cell_of)


def sweep_table(records, over, **wanted):
    """Columns: one axis, in GB/s. Rows: the rungs and other swept axes. The best of each row is bold."""
    rows = pandas.DataFrame([row for row in records.select(**wanted) if row[over] is not None])
    return dataclasses.replace(sweeps.table_of(over, rows, known=False), note=records.source())


def right(records, *rows):
    for row in rows:
        if row["status"] != "right":
            sys.exit(f"{records.path}: {row['rung']} at {elements(row['n'])} on {row['backend']} {row['status']}: no figure")


def ratios_table(records, of, to, **wanted):
    """Speed of each rung on one backend relative to another; rows: rungs that both have, without libraries; columns: sizes."""
    mine, theirs = (by_key(records, [row for row in records.select(backend=backend, **wanted)
                                     if not row["library"] and row["status"] == "right"], "name", "n") for backend in (of, to))
    rows = [row | {"other": theirs[key]} for key, row in sorted(mine.items()) if key in theirs]
    if not rows:
        sys.exit(f"{records.path}: no rung that both {of} and {to} have, with {wanted}")
    grids = sorted({row["rung"] for row in rows if row["grid"] != row["other"]["grid"]})

    def cell(row):
        one = cells.ratio(row["other"], row, " †" if row["grid"] != row["other"]["grid"] else "")
        return dataclasses.replace(one, state="low" if float(one.text.split()[0]) < cells.LITTLE else "")

    problem = one_problem(records, [*rows, *(row["other"] for row in rows)])
    title = f"{problem}: the speed on {of} as a part of that on {to}, by number of elements; bold under {cells.LITTLE:.2f}"
    table = matrix(records, title, rows, "n", cell)
    note = f"† Not on the same grid, which by default is no larger than what is resident at once: {listed(grids)}.\n\n"
    return dataclasses.replace(table, note=(note if grids else "") + table.note)


def named(records, name, backend=None):
    """(backend, rung) of `backend:rung`, or of a rung alone if the backend is unambiguous."""
    there, _, rung = name.rpartition(":")
    there = there or backend or (records.backends[0] if len(records.backends) == 1 else "")
    if not there:
        sys.exit(f"{records.path}: holds {listed(records.backends)}: say {records.backends[0]}:{rung}, or backend=")
    return there, rung


def against_table(records, rungs, backend=None, **wanted):
    """Time of each of these rungs and its speed relative to the first one, at each size."""
    sides = [named(records, name, backend) for name in rungs.split(",")]
    measured = [row for there, rung in sides for row in records.select(backend=there, rung=rung, **wanted)]
    found, sizes = by_key(records, measured, "backend", "rung", "n"), sorted({row["n"] for row in measured})
    several = len({there for there, _ in sides}) > 1
    against = "against " + sides[0][1] + (f" on {sides[0][0]}" if several else "")
    rows = [{"n": elements(n), "backend": there, "rung": rung} | dict.fromkeys(("tuning", "time", "GB/s", against), "")
            | against_cells(against, found.get((there, rung, n)), found.get((*sides[0], n)))
            for n in sizes for there, rung in sides]
    title = one_problem(records, measured) + (f", n = {elements(sizes[0])}" if len(sizes) == 1 else "")
    title += "" if several or len(records.backends) == 1 else f", {sides[0][0]}"
    return Table("", title, rows, records.source()).without_same("n", "backend")


def against_cells(head, row, first):
    if not row:
        return {"time": "not measured"}
    if row["status"] != "right":
        return {"rung": cells.named(row), "tuning": row["tuning"], "time": Cell(row["status"], state="wrong")}
    held = "" if row is first else "-" if not first or first["status"] != "right" else cells.speedup(first, row)
    return {"rung": cells.named(row), "tuning": row["tuning"], "time": cells.time(row), "GB/s": cells.gbs(row), head: held}


TABLES = {"problem": problem_table, "sizes": sizes_table, "cases": cases_table, "sweep": sweep_table, "ratios": ratios_table,
          "against": against_table}
