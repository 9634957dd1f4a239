"""Many reductions at once: how each rung and library reads rows, columns and segments of each length."""

from .. import cells
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import listed

PROBLEM = ["device", "type", "op", "data", "cache", "scope"]
KINDS = {"rows": "rows, by their length", "columns": "columns, by how many a row has", "segments": "segments"}


def order_of(shape):
    """Along the lengths: "rows:16" before "rows:100"; of a matrix of given size by its columns."""
    last = shape.rpartition(":")[2].partition("/")[0].rpartition("x")[2]
    return (int(last), shape) if last.isdigit() else (0, shape)


def table_of(kind, problem, rows):
    """Rungs and libraries down, shapes across; the fastest of several measurements of one."""
    shapes = sorted(rows["shape"].unique(), key=order_of)
    fastest = rows.sort_values("time", kind="stable").drop_duplicates(["backend", "name", "shape"])
    at = {(row["backend"], row["name"], row["shape"]): row for row in as_rows(fastest)}
    known = rows["of_ceiling"].notna().all()
    cell = (lambda row: cells.of_ceiling(row, "shade")) if known else cells.gbs
    named = sorted({(backend, name) for backend, name, _ in at}, key=lambda one: (one[1].startswith("library"), one))
    lines = [[Cell(f"{name} ({backend})", name),
              *(cell(at[backend, name, shape]) if (backend, name, shape) in at else Cell("") for shape in shapes)]
             for backend, name in named]
    unit = "% of the read ceiling" if known else "GB/s"
    device, element, operation, data, cache, scope = problem
    return Table(name_of("batch", kind, *problem),
                 f"{KINDS[kind]} on {device}: {element} {operation}, {data} data, {cache}, {scope} scope; {unit}",
                 ["rung", *(shape.partition(":")[2] for shape in shapes)], lines,
                 "Bytes that are read count, not those of the results: rows of 4 floats write a quarter as many again.")


def section(study):
    """Nothing where no record is of many reductions."""
    rows = study.batch
    if rows.empty or rows[rows["status"] == "right"].empty:
        return None
    rows = rows[rows["status"] == "right"]
    tables = [table_of(kind, problem, some) for kind in KINDS
              for problem, some in rows[rows["shape"].str.startswith(kind)].groupby(PROBLEM)]
    return section_of("batch", "Many reductions at once",
                      f"A result for each row, column or segment, on {listed(sorted(rows['device'].unique()))}: where does a "
                      "block per row lose, and what does the tuned rung reach?", tables)
