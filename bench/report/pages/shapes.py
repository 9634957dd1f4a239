"""Tables of many reductions at once."""

from .. import cells
from ..parts import Cell, Table
from ..sections.batch import order_of


def batch(records, kind="rows", rungs="b10,lib"):
    """GB/s of these rungs on each shape of a kind, and of the tuned one as a part of the read ceiling. `rungs`: backend:rung with
    commas."""
    rows = {(f"{row['backend']}:{row['rung']}", row["shape"]): row for row in records.rows
            if row["status"] == "right" and str(row.get("shape") or "").startswith(kind)}
    named = rungs.split(",")
    shapes = sorted({shape for name, shape in rows if name == named[0]}, key=order_of)
    lines = [[Cell(shape.partition(":")[2]), *(cells.gbs(rows[name, shape]) for name in named),
              cells.of_ceiling(rows[named[0], shape])] for shape in shapes]
    return Table("", "", [kind, *(f"{name.replace(':', ' ')}, GB/s" for name in named), f"{named[0]}, % of ceiling"], lines,
                 records.source() + "\n", sides="l" + "r" * (len(named) + 1))


TABLES = {"batch": batch}
