"""The steps of the ladder: prediction, measurement and evidence."""

import sys

from .. import cells
from ..parts import Cell, Table
from ..sections.evidence import FACTS, fact_cell
from ..sources import predictions
from ..text import elements, problem_text
from .source import count
from .tables import right

SIZES = "2^12,2^16,2^20,2^24,2^28,2^30"
OF_HOST = {"time": cells.time, "GB/s": cells.gbs, "% of ceiling": cells.of_ceiling}


def told(record, name):
    """A fact as shown on a page; "-" if it was not counted."""
    return Cell(fact_cell(record, name).text or "-")


def fulfilled(measured, line, wanted):
    """Measured result for a prediction."""
    n = int(line["n"])
    if n not in {row["n"] for row in measured.select(rung=line["rung"], **wanted)}:
        return "Not measured at this size."
    fast, slow = (measured.one(rung=line[side], n=n, **wanted) for side in ("rung", "against"))
    return f"Measured: {cells.speedup(slow, fast).text}."


def sizes_of(measured, rung, base, n, wanted, shown, titled=False, note=""):
    """A rung at these sizes, with its speed relative to its base; `shown`: {head: function that makes its cell}."""
    rows = []
    for size in map(count, n.split(",")):
        row = measured.one(rung=rung, n=size, **wanted)
        sides = [measured.one(rung=base, n=size, **wanted), row] if base else [row]
        right(measured, *sides)
        rows.append([Cell(elements(size)), *(cell(row) for cell in shown.values()), *([cells.speedup(*sides)] if base else [])])
    title = problem_text(row, sized=False) + (f", {row['tuning']}" if row["tuning"] else "") if titled else ""
    return Table("", title, ["n", *shown, *([f"against {base}"] if base else [])], rows, note).within()


def step(sources, ladder, rung, records, evidence="", facts="", beside="", n=SIZES, **wanted):
    """Measurements of a CUDA rung and its base; other backends in the records are ignored. `beside`: another rung than the base
    for the comparison of evidence."""
    if wanted.setdefault("backend", "cuda") != "cuda":
        sys.exit(f"a step shows the source of a CUDA rung: {rung} cannot be shown on {wanted['backend']}")
    base, measured = ladder[rung]["base"], sources[records]
    parts = [sizes_of(measured, rung, base, n, wanted, OF_HOST | {"% of peak": cells.of_peak})]
    for line in predictions(sources.root):
        if line["rung"] == rung and line["type"] == wanted.get("type", "f32"):
            parts.append(f"Predicted against {line['against']} at {elements(int(line['n']))}: {line['factor']}×. "
                         f"{line['because']} {fulfilled(measured, line, wanted)}\n")
    if facts:
        sides = [side for side in (beside or base, rung) if side]
        about = {key: wanted[key] for key in ("type", "op") if key in wanted}
        found = [sources[evidence].facts(side, backend="cuda", **about) for side in sides]
        parts.append(Table("", "", ["evidence", *sides],
                           [[Cell(FACTS[name]), *(told(one, name) for one in found)] for name in facts.split(",")]).within())
    return "\n".join(parts)


def host_step(sources, ladder, rung, records, n, against="", **wanted):
    """Measurements of a CPU rung and its base, or `against` if the base was not measured."""
    base = against or ladder[rung]["base"]
    wanted = {"backend": "cpu", "type": "f32", "op": "sum", **wanted}
    return sizes_of(sources[records], rung, base, n, wanted, OF_HOST, True, f"Records: `{records}`.")
