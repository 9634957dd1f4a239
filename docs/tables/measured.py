"""Tables of measurements: one problem in full, matrices over an axis, the occupancy, the A/A trial."""

import statistics
import sys

from .records import ROOT
from .text import TYPES, UNITS, checked, elements, number, percent, rung_name, seconds, speedup, table, tuning, value_of


def only(records, chosen):
    """Which backend a table is of, where the records hold several and no column says it."""
    backends = {m["backend"] for m, _ in chosen}
    return f", {backends.pop()}" if len(backends) == 1 < len(records.backends) else ""


def problem_table(records, n, **wanted):
    rows = []
    chosen = records.select(n=n, **wanted)
    several = len({m["backend"] for m, _ in chosen}) > 1
    for m, s in chosen:
        row = [m["backend"]] if several else []
        row += [rung_name(m), tuning(m)]
        if "median" in s:
            u = s["uncertainty"]
            spread = 100 * (s["p95"] - s["p5"]) / s["median"]
            row += [seconds(s["median"], u), number(s["gbs"], u), "in cache" if (s["of_peak"] or 0) > 1 else percent(s["of_peak"], u),
                    percent(s["of_ceiling"], s.get("of_ceiling_uncertainty", u)),
                    speedup(s["step"], u), speedup(s["cumulative"], u, False), f"{spread:.2g} %"]
        else:
            row += [""] * 7
        rows.append(row + [checked(s)])
    heads = ["rung", "tuning", "time", "GB/s", "% peak", "% ceiling", "step", "total", "spread", "checked"]
    first = chosen[0][0]
    ceilings = {id(c): c for c in (records.ceiling(m) for m, _ in chosen) if c}.values()
    size = first["bytes"] / 2**30
    text = (f"{TYPES[first['type']]} {first['op']}, {elements(first['n'])} elements "
            + (f"({size:g} GiB)" if size >= 0.25 else f"({first['bytes'] / 2**20:g} MiB)")
            + f", {first['cache']}, {first['scope']} scope{only(records, chosen)}"
            + "".join(f"; read-only ceiling {c['gbs']:.0f} GB/s ({c['configuration']})" for c in ceilings) + ".\n\n")
    text += table((["backend"] if several else []) + heads, ("l" if several else "") + "llrrrrlrrl", rows)
    return text + "\n" + records.source() + "\n"


def crossed(records, chosen, side, column):
    """{(backend, side): {column: (measurement, summary)}}, each cell taken once."""
    lines = {}
    for m, s in chosen:
        line = lines.setdefault((m["backend"], side(m)), {})
        if column(m) in line:
            sys.exit(f"{records.path}: two measurements of {side(m)} on {m['backend']} for one cell: narrow the selection")
        line[column(m)] = (m, s)
    return lines


def down(records, lines, heads, sides, cells):
    """The table of what is crossed: a row for each line, with a column for its backend where there are several."""
    several = len({backend for backend, _ in lines}) > 1
    rows = [([backend] if several else []) + [side] + cells(line) for (backend, side), line in lines.items()]
    return (table((["backend"] if several else []) + ["rung"] + heads, "l" * (1 + several) + sides, rows) + "\n"
            + records.source() + "\n")


def matrix(records, chosen, value, column, heads, side=rung_name, best=False):
    """`side(measurement)` down, the distinct values of `column(measurement)` across, in the order of `heads`."""
    def cells(line):
        most = max((s["gbs"] for _, s in line.values() if "median" in s), default=0)
        shown = []
        for head in heads:
            m, s = line.get(head, (None, None))
            text = "" if m is None else value_of(s, value) if "median" in s else checked(s)
            shown.append(f"**{text}**" if best and m is not None and s.get("gbs") == most else text)
        return shown

    titles = [elements(c) if isinstance(c, int) else c for c in heads]
    return down(records, crossed(records, chosen, side, column), titles, "r" * len(heads), cells)


def sizes_table(records, value, **wanted):
    chosen = records.select(**wanted)
    first = chosen[0][0]
    text = (f"{TYPES[first['type']]} {first['op']}, {first['cache']}, {first['scope']} scope{only(records, chosen)}: "
            f"{UNITS[value]} by number of elements.\n\n")
    return text + matrix(records, chosen, value, lambda m: m["n"], sorted({m["n"] for m, _ in chosen}))


def cases_table(records, value, **wanted):
    chosen = records.select(**wanted)
    first = chosen[0][0]
    heads = list(dict.fromkeys(f"{m['type']} {m['op']}" for m, _ in chosen))
    text = (f"{first['bytes'] / 2**30:g} GiB, {first['cache']}, {first['scope']} scope{only(records, chosen)}: "
            f"{UNITS[value]}.\n\n")
    return text + matrix(records, chosen, value, lambda m: f"{m['type']} {m['op']}", heads)


def sweep_table(records, over, value, **wanted):
    """One axis across; down, the rungs and what other axis was swept. The best of each line is bold."""
    chosen = [(m, s) for m, s in records.select(**wanted) if m[over] is not None]
    first = chosen[0][0]
    swept = [axis for axis in ("items", "block", "grid") if axis != over and any(
        len({m[axis] for m, _ in chosen if (m["backend"], m["rung"], m[over]) == line}) > 1
        for line in {(m["backend"], m["rung"], m[over]) for m, _ in chosen})]

    def side(m):
        return rung_name(m) + "".join(f", {axis} {m[axis]}" for axis in swept)

    text = (f"{TYPES[first['type']]} {first['op']}, {elements(first['n'])} elements, {first['cache']}, {first['scope']} "
            f"scope{only(records, chosen)}: {UNITS[value]} by {over}.\n\n")
    heads = sorted({m[over] for m, _ in chosen})
    return text + matrix(records, chosen, value, lambda m: str(m[over]), [str(head) for head in heads], side, best=True)


def occupancy_table(records, **wanted):
    """What a block of each size occupies: registers of a thread, shared bytes, resident blocks and what limits them."""
    chosen = records.select(**wanted)
    blocks = sorted({m["block"] for m, _ in chosen})

    def cell(one):
        return f"{one[0]['registers']} / {one[0]['shared_bytes']} / {one[0]['blocks_per_sm']} {one[0]['limiter']}" if one else ""

    text = ("Registers of a thread / bytes of shared memory of a block / resident blocks of a multiprocessor, and their "
            f"limit{only(records, chosen)}.\n\n")
    return text + down(records, crossed(records, chosen, rung_name, lambda m: m["block"]), [f"block {b}" for b in blocks],
                       "l" * len(blocks), lambda line: [cell(line.get(block)) for block in blocks])


def verdicts_table(records, **wanted):
    """Rungs down, operations and sizes across: whether what came out was right."""
    chosen = records.select(**wanted)

    def head(m):
        return f"{m['op']}, n = {elements(m['n'])}"

    def verdict(one):
        if not one:
            return "not carried"
        _, s = one
        return "wrong" if s["wrong"] else "failed" if s["failed"] or not s["count"] else "right"

    heads = list(dict.fromkeys(head(m) for m, _ in chosen))
    backend = only(records, chosen).removeprefix(", ")
    return (f"On {backend}.\n\n" if backend else "") + down(
        records, crossed(records, chosen, rung_name, head), heads, "l" * len(heads),
        lambda line: [verdict(line.get(each)) for each in heads])


def source_line(records):
    """Only where the figures come from, for a page whose tables share it."""
    return records.source() + "\n"


def aa_table(records):
    sys.path.insert(0, str(ROOT / "tools"))
    import aa

    rows = []
    for (backend, n, size, scope), apart in aa.differences(records.lines).items():
        close = sum(difference <= 0.01 for difference in apart)
        rows.append([backend, elements(n), f"{size / 2**20:g} MiB", scope, f"{close} of {len(apart)}",
                     f"{100 * statistics.median(apart):.2g} %", f"{100 * aa.percentile95(apart):.2g} %"])
    heads = ["backend", "n", "input", "scope", "at most 1 % apart", "median difference", "95th percentile"]
    return table(heads, "lrrlrrr", rows) + "\n" + records.source() + "\n"
