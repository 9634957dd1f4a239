"""Tables of one records file: a problem in full, matrices over an axis."""

import dataclasses
import sys

import pandas

from .. import cells
from ..pairs import key_of
from ..parts import Cell, Table
from ..sections.ladder import HEADS, line_with, ratio, spoiled_line
from ..text import bytes_text, elements, problem_text

VALUES = {"gbs": ("GB/s", lambda row, state: cells.gbs(row, state, most=3)),
          "of_ceiling": ("% of the ceiling", lambda row, state: cells.of_ceiling(row, state, unknown="unknown")),
          "time": ("µs", lambda row, state: cells.microseconds(row, state, most=3))}


def only(records, rows):
    """Which backend a table is of, where the records hold several and no column says it."""
    backends = {row["backend"] for row in rows}
    return f", {backends.pop()}" if len(backends) == 1 < len(records.backends) else ""


def problem_table(records, n, columns="", **wanted):
    """One problem in full, or these columns of it: heads with commas between them, and _ for a blank."""
    rows = records.select(n=n, **wanted)
    lines = [(row["backend"], spoiled_line(row) if row["status"] != "right" else line_with(
        row, ratio(against(records, row, "base"), row, named=True), ratio(against(records, row, "start"), row))) for row in rows]
    ceilings = dict.fromkeys(cells.ceiling_gbs(row) for row in rows if row["ceiling_where"])
    title = problem_text(rows[0]) + only(records, rows) + "".join(f"; read-only ceiling {gbs} GB/s" for gbs in ceilings)
    table = down(records, title, lines, HEADS, "llrrrrlrrlr")
    known = HEADS if any(row["processes"] > 1 for row in rows) else HEADS[:-1]  # without the interval between processes
    shown = columns.replace("_", " ").split(",") if columns else known
    table = table.with_columns([head for head in table.heads if head == "backend"] + shown)
    return dataclasses.replace(table, title="", note=records.in_short()) if columns else table


def against(records, row, name):
    """What the step of a row, or its total, is against: the fastest tuning of that rung on the same problem; nothing where there
    is none."""
    found = [one for one in records.rows if one["status"] == "right" and (one["rung"], one["backend"]) == (
        row[name], row["backend"]) and key_of(one) == key_of(row)]
    return min(found, key=lambda one: one["time"], default=None)


def down(records, title, lines, heads, sides):
    """A table of (backend, cells of a line), with a column for the backend where there are several."""
    several = len({backend for backend, _ in lines}) > 1
    rows = [[Cell(backend), *line] if several else line for backend, line in lines]
    return Table("", title, ["backend", *heads] if several else heads, rows, records.source(), sides="l" * several + sides)


def crossed(records, rows, side, across):
    """{side: {across: row}}, each cell taken once."""
    lines = {}
    for row in rows:
        line = lines.setdefault(side(row), {})
        if across(row) in line:
            sys.exit(f"{records.path}: two measurements of {row['name']} on {row['backend']} for one cell: narrow the selection")
        line[across(row)] = row
    return lines


def matrix(records, title, rows, across, cell, head=str, swept=()):
    """Rungs down, with the axes in `swept`; values of `across` a row across, numbers in their order, below their `head`. `cell`
    is made of a row and the line that it is in."""
    values = list(dict.fromkeys(map(across, rows)))
    values = values if isinstance(values[0], str) else sorted(values)
    found = crossed(records, rows, lambda row: (
        row["backend"], row["name"] + "".join(f", {axis} {row[axis]}" for axis in swept)), across)
    lines = [(backend, [Cell(name), *(cell(line.get(value), line) for value in values)])
             for (backend, name), line in found.items()]
    return down(records, title, lines, ["rung", *map(head, values)], "l" + "r" * len(values))


def value_cell(value, best=False):
    """The cells of a matrix of one VALUE; with `best` the fastest of each line is marked."""
    def cell(row, line):
        if row is None:
            return Cell("")
        if row["status"] != "right":
            return cells.checked(row)
        most = max(one["gbs"] for one in line.values() if one["status"] == "right")
        return VALUES[value][1](row, "best" if best and row["gbs"] == most else "")

    return cell


def sizes_table(records, value, **wanted):
    rows = records.select(**wanted)
    title = f"{problem_text(rows[0], sized=False)}{only(records, rows)}: {VALUES[value][0]} by number of elements"
    return matrix(records, title, rows, lambda row: row["n"], value_cell(value), elements)


def cases_table(records, value, **wanted):
    rows = records.select(**wanted)
    first = rows[0]
    title = f"{bytes_text(first['bytes'])}, {first['cache']}, {first['scope']} scope{only(records, rows)}: {VALUES[value][0]}"
    return matrix(records, title, rows, lambda row: f"{row['type']} {row['op']}", value_cell(value))


def sweep_table(records, over, value, **wanted):
    """One axis across; down, the rungs and what other axis was swept. The best of each line is bold."""
    rows = [row for row in records.select(**wanted) if row[over] is not None]
    swept = [axis for axis in records.axes if axis != over and (
        pandas.DataFrame(rows).groupby(["backend", "rung", over])[axis].nunique(dropna=False) > 1).any()]
    title = f"{problem_text(rows[0])}{only(records, rows)}: {VALUES[value][0]} by {over}"
    return matrix(records, title, rows, lambda row: row[over], value_cell(value, best=True), swept=swept)


TABLES = {"problem": problem_table, "sizes": sizes_table, "cases": cases_table, "sweep": sweep_table}
