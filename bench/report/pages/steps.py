"""The steps of the ladder: prediction, measurement and evidence; and figures in prose."""

import csv
import statistics
import sys

from .. import cells
from ..parts import Cell, Table
from ..sections.evidence import FACTS, fact_cell
from ..text import elements, problem_text
from . import compared
from .source import count

SIZES = "2^12,2^16,2^20,2^24,2^28,2^30"
OF_HOST = {"time": cells.time, "GB/s": cells.gbs, "% of ceiling": cells.of_ceiling}


def predictions(root):
    with open(root / "docs" / "predictions.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def told(record, name):
    """A fact as it stands in a page; "-" where it was not counted."""
    return Cell(fact_cell(record, name).text or "-")


def fulfilled(measured, line, wanted):
    """What came of a prediction."""
    sides, n = [line["rung"], line["against"]], int(line["n"])
    if any(row["rung"] == sides[0] and row["n"] == n for row in measured.select(**wanted)):
        fast, slow = (measured.one(rung=side, n=n, **wanted) for side in sides)
        return f"Measured: {cells.speedup(slow, fast).text}."
    return "Not measured at this size."


def sizes_of(measured, rung, base, n, wanted, shown, titled=False, note=""):
    """A rung at these sizes, and how many times as fast as its base it is; `shown`: {head: what makes its cell}."""
    rows = []
    for size in map(count, n.split(",")):
        row = measured.one(rung=rung, n=size, **wanted)
        sides = [measured.one(rung=base, n=size, **wanted), row] if base else [row]
        compared.right(measured, *sides)
        rows.append([cells.sized(size), *(cell(row) for cell in shown.values()), *([cells.speedup(*sides)] if base else [])])
    title = problem_text(row, sized=False) + (f", {row['tuning']}" if row["tuning"] else "") if titled else ""
    return Table("", title, ["n", *shown, *([f"against {base}"] if base else [])], rows, note).within()


def step(sources, ladder, rung, records, evidence="", facts="", beside="", n=SIZES, **wanted):
    """What was measured of one rung, beside its base: all of it CUDA's, whatever else the records hold. Its evidence may stand
    beside that of another rung."""
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


LOOPS = {"AVX3": "docs/data/host_loops.csv", "AVX2": "docs/data/host_loops-avx2.csv"}  # vectors of 64 bytes and of 32
OF_LOOPS = ["instructions an element", "bytes", "chains", "operations in a row", "prefetches"]


def loops(root, file):
    """The loops in the machine code of the CPU's rungs, line by line."""
    with open(root / file, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def host_step(sources, ladder, rung, records, n, against="", target="AVX3", **wanted):
    """What was measured of one CPU rung, beside its base or, where that was not measured, `against`; and the loops of both."""
    base = against or ladder[rung]["base"]
    wanted = {"backend": "cpu", "type": "f32", "op": "sum", **wanted}
    parts = [sizes_of(sources[records], rung, base, n, wanted, OF_HOST, True, f"Records: `{records}`.")]
    known = [one for one in loops(sources.root, LOOPS[target]) if (one["type"], one["op"]) == (wanted["type"], wanted["op"])]
    sides = [[one for one in known if one["rung"] == side] for side in dict.fromkeys((base, rung)) if side]
    if all(sides):
        parts.append(Table("", "", ["in the machine code", *(side[0]["rung"] for side in sides)],
                           [[Cell(name), *(Cell(side[0][name]) for side in sides)] for name in OF_LOOPS],
                           sides="l" + "r" * len(sides)).within())
    return "\n".join(parts)


def evidence_table(records, backends, facts, rungs, **wanted):
    """What the hardware did in each rung on each backend, by the names of the facts: one figure for each, in their order."""
    sides, names, rows = backends.split(","), facts.split(","), []
    for rung in rungs.split(","):
        found = [records.facts(rung, backend=backend, **wanted) for backend in sides]
        rows.append([Cell(found[0]["name"]), *(Cell(" → ".join(told(one, name).text for one in found)) for name in names)])
    title = f"{' → '.join(sides)}, {found[0]['words']} {found[0]['op']}, n = {elements(found[0]['n'])}"
    return Table("", title, ["rung", *(FACTS[name] for name in names)], rows, records.source())


SHOWN = {"peak": lambda row: cells.of_peak(row).text + " %", "ceiling": lambda row: cells.of_ceiling(row).text + " %"}


def over_sizes(measured, slow, fast, least, most, backend=None, **wanted):
    """{n: both rungs' rows} of each power of two from LEAST to MOST; each rung may be `backend:rung`."""
    sides = [compared.named(measured, name, backend) for name in (slow, fast)]
    found, n = {}, count(least)
    while n <= count(most):
        found[n] = [measured.one(backend=there, rung=rung, n=n, **wanted) for there, rung in sides]
        compared.right(measured, *found[n])
        n *= 2
    return found


def mean_speedup(*words, **wanted):
    """The geometric mean of a ratio over these sizes."""
    ratios = [slow["time"] / fast["time"] for slow, fast in over_sizes(*words, **wanted).values()]
    return f"{statistics.geometric_mean(ratios):.2f}×"


def inline(sources, defaults, words):
    """One figure in prose, of a claim that is to be held: `ceiling RUNG N`, `peak RUNG N`, `ratio SLOW FAST N`, `mean SLOW FAST
    FROM TO` (of that ratio, the geometric mean over the powers of two), where a rung may be BACKEND:RUNG. What follows as
    key=value narrows the selection, or names another file by records=."""
    kind, *rest = words.split()
    given = dict(word.split("=", 1) for word in rest if "=" in word)
    rest, options = [word for word in rest if "=" not in word], {**defaults, **given}
    measured = sources[options.pop("records")]
    options.pop("evidence", None)
    if kind == "mean":
        return mean_speedup(measured, *rest, **options)
    if kind == "ratio":
        slow, fast, n = rest
        return cells.speedup(*over_sizes(measured, slow, fast, n, n, **options)[count(n)]).text
    if kind not in SHOWN:
        sys.exit(f"no figure of the kind '{kind}': {', '.join(['ratio', 'mean', *SHOWN])}")
    rung, n = rest
    row = measured.one(rung=rung, n=count(n), **options)
    compared.right(measured, row)
    return SHOWN[kind](row)


TABLES = {"evidence_of": evidence_table}
