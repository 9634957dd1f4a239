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


def by_size(records, of, to, wanted):
    """{n: {rung: (the row on `of`, that on `to`)}} of the rungs that both have, libraries left out, where both are right."""
    mine, theirs = (crossed(records, [row for row in records.select(backend=backend, **wanted)
                                      if not row["library"] and row["status"] == "right"],
                            lambda row: row["n"], lambda row: row["rung"]) for backend in (of, to))
    both = {n: {rung: (row, theirs[n][rung]) for rung, row in sorted(rungs.items()) if rung in theirs.get(n, ())}
            for n, rungs in sorted(mine.items())}
    if not any(both.values()):
        sys.exit(f"{records.path}: no rung that both {of} and {to} have, with {wanted}")
    one_problem(records, [row for rungs in both.values() for pair in rungs.values() for row in pair])
    return {n: rungs for n, rungs in both.items() if rungs}


def ratios_table(records, of, to, **wanted):
    """The speed of each rung on one backend as a part of its speed on another: rungs that both have, without libraries, down;
    sizes across."""
    found, grids = by_size(records, of, to, wanted), []
    names = {rung: mine["name"] for rungs in found.values() for rung, (mine, _) in rungs.items()}

    def cell(mine, theirs):
        if mine["grid"] != theirs["grid"]:
            grids.append(mine["rung"])
        one = cells.ratio(theirs, mine, " †" if mine["grid"] != theirs["grid"] else "")
        return dataclasses.replace(one, state="low" if float(one.text.split()[0]) < cells.LITTLE else "")

    rows = [[Cell(name), *(cell(*found[n][rung]) if rung in found[n] else Cell("–") for n in found)]
            for rung, name in sorted(names.items())]
    note = ("† Not on the same grid, which by default is no larger than what is resident at once: "
            f"{listed(dict.fromkeys(grids))}.\n\n") if grids else ""
    mine, _ = next(iter(found[next(iter(found))].values()))
    title = (f"{problem_text(mine, sized=False)}: the speed on {of} as a part of that on {to}, by number of elements; bold under "
             f"{cells.LITTLE:.2f}")
    return Table("", title, ["rung", *map(elements, found)], rows, note + records.source())


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
