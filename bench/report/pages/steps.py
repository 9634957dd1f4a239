"""The steps of the ladder: prediction, measurement, evidence, what was published; and figures in prose."""

import collections
import csv
import math
import re
import statistics
import sys

from .. import cells
from ..parts import Cell, Table
from ..sections.evidence import FACTS, fact_cell
from ..text import elements, number, problem_text
from . import compared, published
from .source import count

HERE = "docs/results/h200/"
SIZES = "2^12,2^16,2^20,2^24,2^28,2^30"


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


def step(sources, ladder, rung, records, evidence="", facts="", beside="", n=SIZES, **wanted):
    """What was measured of one rung, beside its base: all of it CUDA's, whatever else the records hold. Its evidence may stand
    beside that of another rung."""
    if wanted.setdefault("backend", "cuda") != "cuda":
        sys.exit(f"a step shows the source of a CUDA rung: {rung} cannot be shown on {wanted['backend']}")
    base, measured = ladder[rung]["base"], sources[records]
    rows = []
    for size in map(count, n.split(",")):
        row = measured.one(rung=rung, n=size, **wanted)
        against = [cells.speedup(measured.one(rung=base, n=size, **wanted), row)] if base else []
        rows.append([cells.sized(size), cells.time(row), cells.gbs(row), cells.of_ceiling(row), cells.of_peak(row), *against])
    parts = [Table("", "", ["n", "time", "GB/s", "% of ceiling", "% of peak", *([f"against {base}"] if base else [])],
                   rows).within()]
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
    best = best_of(ladder[rung]["slug"], ladder[base]["slug"] if base else "")
    return "\n".join([*parts, best.within()] if best else parts)


LOOPS = {"AVX3": "docs/data/host_loops.csv", "AVX2": "docs/data/host_loops-avx2.csv"}  # vectors of 64 bytes and of 32
OF_LOOPS = ["instructions an element", "bytes", "chains", "operations in a row", "prefetches"]


def loops(root, file):
    """What host_loops.py found, line by line."""
    with open(root / file, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def host_loops_table(root, file):
    """The loops of all rungs, types and operations down."""
    found = loops(root, file)
    rows = [[Cell(one["rung"]), Cell(f"{one['type']} {one['op']}"), Cell(one["vectors"]), Cell(one["elements"]),
             *(Cell(one[name]) for name in OF_LOOPS)] for one in found]
    first = found[0]
    note = (f"{first['compiler']}, `-march={first['architecture']}` for c00 to c07, commit {first['commit']}: "
            f"`tools/host_loops.py --rungs build/cpu/cpu --target {','.join(targets(found))} --csv {file}`. Record: `{file}`.")
    return Table("", "", ["rung", "of", "vectors", "elements a turn", *OF_LOOPS], rows, note, sides="lllrrrlrr")


def targets(found):
    """Highway's targets, as they were asked for."""
    return dict.fromkeys(one["vectors"] for one in found if one["rung"] >= "c08")


def host_step(sources, ladder, rung, records, n, against="", target="AVX3", **wanted):
    """What was measured of one CPU rung, beside its base or, where that was not measured, `against`; and the loops of both."""
    base = against or ladder[rung]["base"]
    measured, rows = sources[records], []
    wanted = {"backend": "cpu", "type": "f32", "op": "sum", **wanted}
    for size in map(count, n.split(",")):
        row = measured.one(rung=rung, n=size, **wanted)
        right = [measured.one(rung=base, n=size, **wanted), row] if base else [row]
        compared.right(measured, *right)
        rows.append([cells.sized(size), cells.time(row), cells.gbs(row), cells.of_ceiling(row),
                     *([cells.speedup(*right)] if base else [])])
    title = problem_text(row, sized=False) + (f", {row['tuning']}" if row["tuning"] else "")
    parts = [Table("", title, ["n", "time", "GB/s", "% of ceiling", *([f"against {base}"] if base else [])], rows,
                   f"Records: `{records}`.").within()]
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


def document(sources, source):
    """The lines of a document, {a line's place: the measurement that it is held against}, and the records used."""
    mine = published.of_source(source)
    if not mine:
        sys.exit(f"{published.PLACE}: nothing from {source}")
    here, used = {}, {}
    for line in mine:
        name, *fields = line["ours"].split()  # its last column names records and fields
        records = sources[f"{HERE}{name}.jsonl.gz"]
        here[line["place"]] = records.one(cache="cold", data="exact", **dict(field.split("=", 1) for field in fields))
        used[name] = records.source()
    return mine, here, used.values()


def published_table(sources, source):
    mine, here, used = document(sources, source)
    table = published.table_of(mine, here, published.IN_DOCS)
    table.note = "\n\n".join(filter(None, [table.note, *used]))
    return table


def steps_table(sources, source):
    """The speed-ups that a document gives, beside those of the same measurements here."""
    mine, here, _ = document(sources, source)
    table = published.table_of(mine, here, published.STEPS)
    table.rows = [row for row in table.rows if row[2].text or row[4].text]
    return table


def best_of(slug, base_slug):
    """Each source's best figure for a rung, as percent of its own machine's peak; nothing where none has it."""
    known = [line for line in published.lines() if line["rung"] == slug and published.part_of(line)]
    best = {source: max((line for line in known if line["source"] == source), key=published.part_of)
            for source in dict.fromkeys(line["source"] for line in known)}
    rows = [[Cell(text) for text in (
        published.DOCUMENTS[source][0], line["device"] or "not named", line["type"] or "not named",
        elements(line["elements"]) if line["elements"] else "", line["block_size"], line["items_per_thread"],
        published.part_text(line), step_there(line, base_slug))] for source, line in best.items()]
    heads = ["source", "machine", "type", "n", "block", "C", "% of its peak", "step there"]
    return Table("", "Published, the best of each source", heads, rows, sides="llllrrrr") if rows else None


def step_there(line, base_slug):
    """The published step, where it is from the same rung as here."""
    earlier = published.before(published.of_source(line["source"]), line)
    same = earlier and earlier[-1]["rung"] == base_slug
    return f"{float(line['step_speedup']):g}×" if same and line["step_speedup"] else ""


def quoted(column, **wanted):
    """One published figure: `column` of the line whose columns are as wanted; time with its unit, of_peak in percent."""
    chosen = [line for line in published.lines() if all(line[key] == value for key, value in wanted.items())]
    if len(chosen) != 1:
        sys.exit(f"{published.PLACE}: {len(chosen)} lines with {wanted}, not one")
    if column == "of_peak":
        return published.part_text(chosen[0]) + " %"
    return f"{float(chosen[0][column]):g}" + {"time_ms": " ms", "step_speedup": "×"}.get(column, "")


def above_the_sweep(row):
    """Microseconds beyond the read-only sweep's time: a small difference, with no more digits than the ratio of both warrants."""
    part = row["of_ceiling"]
    return number(1e6 * row["time"] * (1 - part), part * row["of_ceiling_uncertainty"] / (1 - part), 3)


def saved(measured, slow, fast, n, backend=None, **wanted):
    """Microseconds that one takes less than the other, with no more digits than the intervals of both warrant. Each rung may be
    `backend:rung`."""
    sides = [compared.named(measured, name, backend) for name in (slow, fast)]
    slow, fast = (measured.one(backend=there, rung=rung, n=count(n), **wanted) for there, rung in sides)
    compared.right(measured, slow, fast)
    less = slow["time"] - fast["time"]
    open_by = math.hypot(*(row["time"] * (row["uncertainty"] or 0) for row in (slow, fast)))
    return number(1e6 * less, open_by / abs(less) if less else None, 3)


SHOWN = {"time": lambda row: cells.time(row).text, "gbs": lambda row: cells.gbs(row).text + " GB/s",
         "peak": lambda row: cells.of_peak(row).text + " %", "ceiling": lambda row: cells.of_ceiling(row).text + " %",
         "blocks": lambda row: number(row["blocks"] / row["time"] / 1e9, row["uncertainty"], 3) + " billion blocks",
         "above": lambda row: above_the_sweep(row) + " µs"}


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


def least_speedup(*words, **wanted):
    """The least ratio at one of these sizes, and which."""
    found = over_sizes(*words, **wanted)
    n = min(found, key=lambda n: found[n][0]["time"] / found[n][1]["time"])
    return f"{cells.speedup_text(*found[n])} at {elements(n)}"


def over_cases(measured, slow, fast, n, backend=None, type=None, op=None, **wanted):
    """The geometric mean of a ratio over all types and operations that both rungs have, and where it is least."""
    sides = [compared.named(measured, name, backend) for name in (slow, fast)]
    first, second = ({(row["type"], row["op"]): row for row in measured.select(backend=there, rung=rung, n=count(n), **wanted)}
                     for there, rung in sides)
    both = [case for case in first if case in second]
    compared.right(measured, *(side[case] for side in (first, second) for case in both))
    ratio = {case: first[case]["time"] / second[case]["time"] for case in both}
    least = min(both, key=ratio.get)
    return (f"{statistics.geometric_mean(ratio.values()):.2f}×, "
            f"least {cells.speedup_text(first[least], second[least])} ({' '.join(least)})")


def against_best(measured, rung, least, most="", backend="cpu", **wanted):
    """How many times as fast as the best library at each size a rung is: the geometric mean over each power of two from LEAST to
    MOST, and where it is least; of LEAST alone that ratio and the library."""
    ratios, n = {}, count(least)
    while n <= count(most or least):
        mine = measured.one(backend=backend, rung=rung, n=n, **wanted)
        peers = [row for row in measured.select(backend=backend, n=n, **wanted) if row["library"]]
        compared.right(measured, mine, *peers)
        best = min(peers, key=lambda row: row["time"])
        ratios[n] = best["time"] / mine["time"], cells.speedup_text(best, mine), best["rung"].removeprefix("library_")
        n *= 2
    _, text, name = ratios[min(ratios, key=ratios.get)]
    if not most:
        return f"{text} ({name})"
    mean = statistics.geometric_mean(ratio for ratio, _, _ in ratios.values())
    return f"{mean:.2f}×, least {text} at {elements(min(ratios, key=ratios.get))} ({name})"


def minutes(measured):
    """How long the command took on that machine, all its processes together. Each device has it, in old records each backend."""
    taken = collections.Counter()
    for one in measured.conditions:
        taken[one.get("space"), one.get("backend")] += one["seconds"] if one["at"] == "end" else 0
    if not taken:
        sys.exit(f"{measured.path}: does not say how long it took")
    return number(max(taken.values()) / 60, None, 2) + " min"


def verdict(measured):
    """How many measurements are right."""
    return f"{sum(row['status'] == 'right' for row in measured.rows)} of {len(measured.rows)}"


def identical(measured):
    """How many kernels of HIP's rungs are the same code as CUDA's."""
    if not measured.same_code:
        sys.exit(f"{measured.path}: no records of kind same_code")
    return f"{sum(one['identical'] for one in measured.same_code)} of {sum(one['kernels'] for one in measured.same_code)}"


OF_FILE = {"minutes": minutes, "right": verdict, "samples": lambda measured: f"{sum(row['count'] for row in measured.rows):,}",
           "identical": identical}


OVER_MANY = {"mean": mean_speedup, "least": least_speedup, "cases": over_cases}


def in_shares(measured, one, n, shares, other, other_n, other_shares, **options):
    """How many times as long one measurement past one device takes as another."""
    found = []
    for name, elements_of, number_of in ((one, n, shares), (other, other_n, other_shares)):
        backend, rung = compared.named(measured, name)
        found.append(measured.one(**{**options, "backend": backend, "rung": rung, "n": count(elements_of),
                                     "shares": None if number_of == "0" else number_of}))
    compared.right(measured, *found)
    return cells.speedup(*found).text


def inline(sources, defaults, words):
    """One figure in prose: `time RUNG N`, `gbs RUNG N`, `ceiling RUNG N`, `peak RUNG N`, `above RUNG N` (its time beyond that
    of the read-only sweep of as many bytes), `saved SLOW FAST N` (microseconds, without the unit), `blocks RUNG N` (launched per
    second), `ratio SLOW FAST N`, `mean SLOW FAST FROM TO` (of that ratio, the geometric mean over the
    powers of two), `least SLOW FAST FROM TO` (the least there), `cases SLOW FAST N` (both over types and operations),
    `fact RUNG NAME`, `published COLUMN` (of docs/data/published.csv),
    `best RUNG FROM TO` (against the best library at each size, the mean and the least; `best RUNG N` at one size),
    `between BACKEND:RUNG BACKEND:RUNG N` (the first's speed over the second's), `outside BACKEND BACKEND N,N` (of how many
    ratios of all rungs the interval leaves 1 out, and of which; without=RUNG,RUNG), `behind RUNG PERCENT` (at how many of all
    problems something else is faster by more than that, and which), `shares BACKEND:RUNG N SHARES BACKEND:RUNG
    N SHARES` (the first's time over the second's, each in so many shares; 0: on one device, which has none). Of a whole file:
    `minutes` (that it took),
    `right` (so many measurements of all), `samples`, `identical` (so many kernels of HIP's, of records of kind same_code).
    `reaches AIM ...` and `within AIM ...` before any of these: it is bold where its number is under, or above, what was aimed at.

    What follows as key=value narrows the selection, or names another file by records= or evidence=.
    """
    kind, *rest = words.split()
    if kind in ("reaches", "within"):
        text = inline(sources, defaults, " ".join(rest[1:]))
        shown, aim = float(re.match(r"[\d.]+", text)[0]), float(rest[0])
        return text if (shown >= aim if kind == "reaches" else shown <= aim) else f"**{text}**"
    given = dict(word.split("=", 1) for word in rest if "=" in word)
    rest = [word for word in rest if "=" not in word]
    if kind == "published":
        return quoted(rest[0], **given)
    options = {**defaults, **given}
    measured, evidence = options.pop("records"), options.pop("evidence", None)
    if kind == "fact":
        rung, name = rest
        shown = told(sources[evidence].facts(rung, **{key: value for key, value in given.items()
                                                      if key not in ("records", "evidence")}), name).text
        if shown == "-":
            sys.exit(f"no {name} in the evidence of {rung}")
        return shown
    if kind == "between":
        return compared.between(sources[measured], *rest, **options)
    if kind == "shares":
        return in_shares(sources[measured], *rest, **options)
    if kind == "behind":
        return compared.behind(sources[measured], *rest, **options)
    if kind == "outside":
        return compared.outside_text(sources[measured], *rest, **options)
    if kind in OF_FILE:
        return OF_FILE[kind](sources[measured])
    if kind == "best":
        return against_best(sources[measured], *rest, **options)
    if kind in OVER_MANY:
        return OVER_MANY[kind](sources[measured], *rest, **options)
    if kind == "saved":
        return saved(sources[measured], *rest, **options)
    if kind not in ("ratio", *SHOWN):
        known = ["published", "fact", "ratio", "saved", "between", "shares", "outside", "behind", "best", *OVER_MANY, *SHOWN,
                 *OF_FILE]
        sys.exit(f"no figure of the kind '{kind}': {', '.join(known)}")
    *rungs, n = rest
    found = [sources[measured].one(rung=rung, n=count(n), **options) for rung in rungs]
    compared.right(sources[measured], *found)
    return cells.speedup(*found).text if kind == "ratio" else SHOWN[kind](found[0])


TABLES = {"evidence_of": evidence_table}
OF_DOCUMENTS = {"published": published_table, "steps_of": steps_table}
