"""The steps of the ladder: prediction, measurement and evidence."""

import sys

from .. import cells
from ..parts import Table
from ..sections.evidence import FACTS, fact_cell
from ..sources import predictions
from ..text import elements, problem_text
from .source import count
from .tables import right

SIZES = "2^12,2^16,2^20,2^24,2^28,2^30"
SHOWN = {"time": cells.time, "GB/s": cells.gbs, "% of ceiling": cells.of_ceiling}


def fulfilled(measured, line, wanted):
    """Measured result for a prediction."""
    n = int(line["n"])
    if n not in {row["n"] for row in measured.select(rung=line["rung"], **wanted)}:
        return "Not measured at this size."
    fast, slow = (measured.one(rung=line[side], n=n, **wanted) for side in ("rung", "against"))
    return f"Measured: {cells.speedup(slow, fast).text}."


def sizes_of(measured, rung, base, n, wanted):
    """A rung at these sizes, with its speed relative to its base. A CPU has no peak, and its title says the problem, which is
    another one from rung to rung."""
    rows, host = [], wanted["backend"] == "cpu"
    shown = SHOWN if host else SHOWN | {"% of peak": cells.of_peak}
    for size in map(count, n.split(",")):
        row = measured.one(rung=rung, n=size, **wanted)
        sides = [measured.one(rung=base, n=size, **wanted), row] if base else [row]
        right(measured, *sides)
        rows.append({"n": elements(size)} | {head: cell(row) for head, cell in shown.items()}
                    | ({f"against {base}": cells.speedup(*sides)} if base else {}))
    title = problem_text(row, sized=False) + (f", {row['tuning']}" if row["tuning"] else "") if host else ""
    return Table("", title, rows, f"Records: `{measured.path}`." if host else "").within()


def step(sources, ladder, rung, records, evidence="", facts="", beside="", against="", n=SIZES, **wanted):
    """Measurements of a rung of CUDA or of the CPU and its base; other backends in the records are ignored. `against`: another
    rung than the base, if that was not measured; `beside`: one for the comparison of evidence."""
    wanted = ({"backend": "cpu", "type": "f32", "op": "sum"} if rung.startswith("c") else {"backend": "cuda"}) | wanted
    if wanted["backend"] not in ("cuda", "cpu"):
        sys.exit(f"a step shows the source of a CUDA rung: {rung} cannot be shown on {wanted['backend']}")
    base, measured = against or ladder[rung]["base"], sources[records]
    parts = [sizes_of(measured, rung, base, n, wanted)]
    for line in predictions(sources.root):
        if line["rung"] == rung and line["type"] == wanted.get("type", "f32"):
            parts.append(f"Predicted against {line['against']} at {elements(int(line['n']))}: {line['factor']}×. "
                         f"{line['because']} {fulfilled(measured, line, wanted)}\n")
    if facts:
        sides = [side for side in (beside or base, rung) if side]
        about = {key: wanted[key] for key in ("type", "op") if key in wanted}
        found = [sources[evidence].one(sources[evidence].evidence, rung=side, backend="cuda", **about) for side in sides]
        parts.append(Table("", "", [{"evidence": FACTS[name]} | {
            side: fact_cell(one, name).text or "-" for side, one in zip(sides, found, strict=True)}
            for name in facts.split(",")]).within())
    return "\n".join(parts)
