"""Batches of reductions: read speed of each rung and library on rows, columns and segments by length."""

from .. import cells
from ..charts import finish, heat_chart, label_of
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import elements, listed, number, problem_text

PROBLEM = ["device", "type", "op", "data", "cache", "scope"]
# {kind: (title of the table, question of the heat map, label of its horizontal axis)}
KINDS = {"rows": ("Rows, by their length", "Where does one block per row lose?", "elements in a row"),
         "columns": ("Columns, by their number", "How many columns does a thread per column need?", "columns in a row"),
         "segments": ("Segments", "What do uneven segments cost?", "lengths of the segments")}


def order_of(shape):
    """Sort key by length: "rows:16" before "rows:100"; for a matrix of given size its number of columns."""
    last = shape.rpartition(":")[2].partition("/")[0].rpartition("x")[2]
    return (int(last), shape) if last.isdigit() else (0, shape)


def length_text(shape):
    """A shape without its kind: 1024, 2¹⁸, zipf:64."""
    length = shape.partition(":")[2]
    return elements(length) if length.isdigit() and int(length) > 9999 else length


def fastest(rows):
    """({(backend, name): {shape: its fastest row}}, a backend's rungs before its libraries; shapes by length; True if every row
    has a ceiling)."""
    best, found = rows.sort_values(["backend", "library", "name", "time"], kind="stable"), {}
    for row in as_rows(best.drop_duplicates(["backend", "name", "shape"])):
        found.setdefault((row["backend"], row["name"]), {})[row["shape"]] = row
    return found, sorted(rows["shape"].unique(), key=order_of), rows["of_ceiling"].notna().all()


def table_of(kind, problem, rows):
    """Rungs and libraries as rows, shapes as columns, each with its fastest measurement."""
    found, shapes, known = fastest(rows)
    cell = (lambda row: cells.of_ceiling(row, "shade")) if known else cells.gbs
    lines = [[cells.called(next(iter(line.values()))), Cell(backend),
              *(cell(line[shape]) if shape in line else Cell("") for shape in shapes)] for (backend, name), line in found.items()]
    unit = "% of the read ceiling" if known else "GB/s"
    return Table(name_of("batch", kind, *problem),
                 f"{KINDS[kind][0]} on {problem[0]}: {problem_text(rows.iloc[0], sized=False)}; {unit}",
                 ["rung", "backend", *map(length_text, shapes)], lines,
                 "Bytes that are read count, not those of the results: rows of 4 floats write a quarter as many again.",
                 sides="ll" + "r" * len(shapes))


def figure_of(kind, problem, rows):
    """The table as a heat map, a panel per backend; "weak" if the sweep of the ceiling was too weak."""
    found, shapes, known = fastest(rows)
    value, unit, factor = ("of_ceiling", "% of the read ceiling", 100) if known else ("gbs", "GB/s", 1)
    drawn, words = [], []
    for (backend, name), line in found.items():
        cub = next(iter(line.values()))["cub"]
        label = f"CUB {cub}" if cub and not any(one["name"] == f"CUB {cub}" for one in drawn) else label_of(name)
        own = [{"panel": backend, "name": label, "x": length_text(shape),
                "value": factor * line[shape][value],
                "text": "weak" if known and line[shape][value] > cells.OVER else number(factor * line[shape][value], None, 2)}
               for shape in shapes if shape in line]
        least, most = (choose(own, key=lambda one: one["value"]) for choose in (min, max))
        words.append(f"{label} on {backend}: from {least['text']} at {least['x']} to {most['text']} at {most['x']}.")
        drawn += own
    return finish(heat_chart(drawn, list(map(length_text, shapes)), *KINDS[kind][1:], unit, 100 if known else rows["gbs"].max()),
                  name_of("batch", kind, *problem),
                  f"{KINDS[kind][1]} {problem[0]}: {problem_text(rows.iloc[0], sized=False)}; {unit}", words)


def section(view):
    """None without records of batches."""
    rows, parts = view.batch[view.batch["status"] == "right"], []
    for kind in KINDS:
        for problem, some in rows[rows["shape"].str.startswith(kind)].groupby(PROBLEM):
            parts += [table_of(kind, problem, some), figure_of(kind, problem, some)]
    return section_of("batch", "Many reductions at once",
                      f"A result for each row, column or segment, on {listed(sorted(rows['device'].unique()))}: where does a "
                      "block per row lose, and what does the tuned rung reach?", parts)
