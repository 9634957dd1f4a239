"""Backends and rungs held against each other, each time within one run: ratios and speed-ups."""

import dataclasses
import sys

from .. import cells
from ..parts import Cell, Table
from ..text import elements, listed, problem_text
from .measured import crossed

PROBLEM = ("type", "op", "scope", "cache", "data", "place")  # what the sides of a ratio have in common, besides n


def one_problem(records, rows):
    """The problem of all these measurements, in words; ends where it is not one."""
    for field in PROBLEM:
        values = list(dict.fromkeys(str(row[field]) for row in rows))
        if len(values) > 1:
            sys.exit(f"{records.path}: {listed(values)} in one table: narrow the selection with {field}=")
    return problem_text(rows[0], sized=False)


def right(records, *rows):
    for row in rows:
        if row["status"] != "right":
            sys.exit(f"{records.path}: {row['rung']} at {elements(row['n'])} on {row['backend']} {row['status']}: no figure")


def ratios_table(records, of, to, **wanted):
    """The speed of each rung on one backend as a part of its speed on another: rungs that both have, without libraries, down;
    sizes across."""
    mine, theirs = (crossed(records, [row for row in records.select(backend=backend, **wanted)
                                      if not row["library"] and row["status"] == "right"],
                            lambda row: row["name"], lambda row: row["n"]) for backend in (of, to))
    both = {(name, n): (row, theirs[name][n]) for name, line in sorted(mine.items()) for n, row in line.items()
            if n in theirs.get(name, ())}
    if not both:
        sys.exit(f"{records.path}: no rung that both {of} and {to} have, with {wanted}")
    problem = one_problem(records, [row for pair in both.values() for row in pair])
    grids = {row["rung"] for row, other in both.values() if row["grid"] != other["grid"]}

    def cell(row, other):
        one = cells.ratio(other, row, " †" if row["grid"] != other["grid"] else "")
        return dataclasses.replace(one, state="low" if float(one.text.split()[0]) < cells.LITTLE else "")

    sizes = sorted({n for _, n in both})
    rows = [[Cell(name), *(cell(*both[name, n]) if (name, n) in both else Cell("–") for n in sizes)]
            for name in dict.fromkeys(name for name, _ in both)]
    note = ("† Not on the same grid, which by default is no larger than what is resident at once: "
            f"{listed(sorted(grids))}.\n\n") if grids else ""
    title = f"{problem}: the speed on {of} as a part of that on {to}, by number of elements; bold under {cells.LITTLE:.2f}"
    return Table("", title, ["rung", *map(elements, sizes)], rows, note + records.source())


def named(records, name, backend=None):
    """(backend, rung) of `backend:rung`, or of a rung alone where it is clear on which backend."""
    there, _, rung = name.rpartition(":")
    there = there or backend or (records.backends[0] if len(records.backends) == 1 else "")
    if not there:
        sys.exit(f"{records.path}: holds {listed(records.backends)}: say {records.backends[0]}:{rung}, or backend=")
    return there, rung


def against_table(records, rungs, backend=None, **wanted):
    """The named rungs, each with its time and its speed against the first's, at each size."""
    sides = [named(records, name, backend) for name in rungs.split(",")]
    measured = [row for there, rung in sides for row in records.select(backend=there, rung=rung, **wanted)]
    found = crossed(records, measured, lambda row: (row["backend"], row["rung"]), lambda row: row["n"])
    several, sizes = len({there for there, _ in sides}) > 1, sorted({row["n"] for row in measured})
    rows = [[*([Cell(elements(n))] if len(sizes) > 1 else []), *([Cell(there)] if several else []),
             *against_cells(rung, found[there, rung].get(n), found[sides[0]].get(n))] for n in sizes for there, rung in sides]
    title = one_problem(records, measured) + (f", n = {elements(sizes[0])}" if len(sizes) == 1 else "")
    title += "" if several or len(records.backends) == 1 else f", {sides[0][0]}"
    heads = (["n"] if len(sizes) > 1 else []) + (["backend"] if several else []) + ["rung", "tuning"]
    against = "against " + sides[0][1] + (f" on {sides[0][0]}" if several else "")
    return Table("", title, [*heads, "time", "GB/s", against], rows, records.source(), sides="l" * len(heads) + "rrr")


def against_cells(rung, row, first):
    if not row:
        return [Cell(rung), Cell(""), Cell("not measured"), Cell(""), Cell("")]
    if row["status"] != "right":
        return [cells.named(row), Cell(row["tuning"]), Cell(row["status"], state="wrong"), Cell(""), Cell("")]
    held = Cell("") if row is first else Cell("-") if not first or first["status"] != "right" else cells.speedup(first, row)
    return [cells.named(row), Cell(row["tuning"]), cells.time(row), cells.gbs(row), held]


TABLES = {"ratios": ratios_table, "against": against_table}
