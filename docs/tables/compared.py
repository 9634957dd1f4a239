"""Backends and rungs held against each other, each time within one process: ratios, changes of a rung, what differs."""

import sys

from .records import listed
from .text import TYPES, count, elements, factor, number, quotient, rung_name, seconds, spoiled, table, tuning

PROBLEM = ("type", "op", "scope", "cache", "data", "place")  # what the sides of a ratio have in common, besides n
TUNING = ("block", "items", "workers")  # and on two backends; the grid may be cut to what is resident there
LITTLE = 0.9  # a smaller part of the other's speed is bold


def one_process(records, backends):
    """Ends where what was measured on these backends is not all from one process."""
    if "--resume" in records.run["command"]:
        sys.exit(f"{records.path}: was resumed, so its medians are of several processes: no ratio is made of them")
    for backend in backends:
        if backend not in records.backends:
            sys.exit(f"{records.path}: the last process measured nothing on {backend}"
                     + ("; an earlier one did, and no ratio is made of two" if backend in records.earlier else ""))


def one_problem(records, chosen):
    """The problem of all these measurements, in words; ends where it is not one."""
    for field in PROBLEM:
        values = list(dict.fromkeys(str(m[field]) for m, _ in chosen))
        if len(values) > 1:
            sys.exit(f"{records.path}: {listed(values)} in one table: narrow the selection with {field}=")
    first = chosen[0][0]
    return f"{TYPES[first['type']]} {first['op']}, {first['cache']}, {first['scope']} scope"


def refuse_spoiled(records, *found):
    for m, s in found:
        if spoiled(s):
            sys.exit(f"{records.path}: {m['rung']} at {elements(m['n'])} on {m['backend']} {spoiled(s)}: no figure")


def paired(records, chosen, rungs):
    """{tuning: {n: {side: measurement and summary}}} of a rung of each side; the tuning, where it is the same rung."""
    lines = {}
    for side, rung in enumerate(rungs):
        for m, s in chosen[side]:
            if m["rung"] != rung:
                continue
            same = tuple(m[axis] for axis in TUNING) if len(set(rungs)) == 1 else ()
            cell = lines.setdefault(same, {}).setdefault(m["n"], {})
            if side in cell:
                sys.exit(f"{records.path}: two measurements of {rung} on {m['backend']} for one cell: narrow the selection")
            cell[side] = (m, s)
    return lines


def grids(cell):
    return tuple(m["grid"] for m, _ in cell.values())


def other_grid(cell):
    """Whether the grid is not the same for the same rung; two rungs need not have one in common."""
    return len(cell) == 2 and cell[0][0]["rung"] == cell[1][0]["rung"] and len(set(grids(cell))) > 1


def part(cell, backends):
    """The first side's speed as a part of the second's, or why there is none."""
    if not cell:
        return "not measured"
    for side, backend in enumerate(backends):
        if side not in cell:
            return f"not on {backend}"
    for side, backend in enumerate(backends):
        if spoiled(cell[side][1]):
            return f"**{spoiled(cell[side][1])} on {backend}**"
    text = number(*quotient(cell[1], cell[0]), 3)
    return (f"**{text}**" if float(text) < LITTLE else text) + (" *" if other_grid(cell) else "")


def tuning_of(line):
    """The tuning of one row: the first side's, or the other's where it alone was measured; its grids from least to most."""
    ones = [cell[min(cell)][0] for cell in line.values()]
    walked = sorted({m["grid"] for m in ones if m["grid"] is not None})
    grid = " to ".join(str(one) for one in dict.fromkeys(walked[:1] + walked[-1:])) or None
    return tuning({**ones[0], "grid": grid})


def note_of_grids(lines, backends):
    """What the marks in the cells stand for."""
    apart = dict.fromkeys((cell[0][0]["rung"], *grids(cell)) for line in lines for cell in line.values() if other_grid(cell))
    if not apart:
        return ""
    return ("\\* Not on the same grid, which by default is no larger than what is resident at once: "
            + "; ".join(f"{rung} has {mine} blocks on {backends[0]}, {theirs} on {backends[1]}" for rung, mine, theirs in apart)
            + ".\n\n")


def ratios_table(records, of, to, against="", **wanted):
    """The speed of each rung on one backend as a part of its speed on another: rungs down, sizes across.

    Rungs are those that both have, without libraries; `against` adds those it names, libraries as well, or a pair
    `A:B`: A on the first backend against B on the second.
    """
    backends = (of, to)
    one_process(records, backends)
    chosen = [records.select(backend=backend, **wanted) for backend in backends]
    problem = one_problem(records, chosen[0] + chosen[1])
    known = [{m["rung"] for m, _ in side} for side in chosen]
    rungs = dict.fromkeys((m["rung"],) * 2 for m, _ in chosen[0] if m["rung"] in known[1] and not m["library"])
    rungs.update(dict.fromkeys(tuple((name.split(":") * 2)[:2]) for name in against.split(",") if name))
    for names in rungs:
        for backend, name, there in zip(backends, names, known):
            if name not in (known[0] | known[1] if names[0] == names[1] else there):
                sys.exit(f"{records.path}: no {name} on {backend} with {wanted}")
    if not rungs:
        sys.exit(f"{records.path}: no rung that both {of} and {to} have, with {wanted}")
    sizes = sorted({m["n"] for side in chosen for m, _ in side})
    rows, lines = [], []
    for names in rungs:
        for line in paired(records, chosen, names).values():
            first = next(iter(next(iter(line.values())).values()))[0]
            name = rung_name(first) if names[0] == names[1] else " against ".join(names)
            rows.append([name] + [part(line.get(n, {}), backends) for n in sizes] + [tuning_of(line)])
            lines.append(line)
    text = f"{problem}: the speed on {of} as a part of that on {to}, by number of elements; bold under {LITTLE:.2f}.\n\n"
    text += table(["rung", *map(elements, sizes), "tuning"], "l" + "r" * len(sizes) + "l", rows) + "\n"
    return text + note_of_grids(lines, backends) + records.source() + "\n"


def named(records, name, backend=None):
    """(backend, rung) of `backend:rung`, or of a rung alone where it is clear on which backend."""
    there, _, rung = name.rpartition(":")
    there = there or backend or (records.backends[0] if len(records.backends) == 1 else "")
    if not there:
        sys.exit(f"{records.path}: holds {listed(records.backends)}: say {records.backends[0]}:{rung}, or backend=")
    one_process(records, [there])
    return there, rung


def against_table(records, rungs, backend=None, **wanted):
    """The named rungs, each with its time and its speed against the first's, at each size."""
    sides = [named(records, name, backend) for name in rungs.split(",")]
    found, chosen = {}, []
    for there, rung in sides:
        for m, s in records.select(backend=there, rung=rung, **wanted):
            if (there, rung, m["n"]) in found:
                sys.exit(f"{records.path}: two measurements of {rung} on {there} at {elements(m['n'])}: narrow the selection")
            found[there, rung, m["n"]] = (m, s)
            chosen.append((m, s))
    several = len({there for there, _ in sides}) > 1
    sizes = sorted({m["n"] for m, _ in chosen})
    rows = []
    for n in sizes:
        first = found.get((*sides[0], n))
        for there, rung in sides:
            one = found.get((there, rung, n))
            rows.append(([elements(n)] if len(sizes) > 1 else []) + ([there] if several else [])
                        + against_cells(rung, one, first))
    text = one_problem(records, chosen) + (f", {elements(sizes[0])} elements" if len(sizes) == 1 else "")
    text += "" if several or len(records.backends) == 1 else f", {sides[0][0]}"
    heads = (["n"] if len(sizes) > 1 else []) + (["backend"] if several else []) + ["rung", "tuning"]
    against = "against " + sides[0][1] + (f" on {sides[0][0]}" if several else "")
    text += ".\n\n" + table(heads + ["time", "GB/s", against], "l" * len(heads) + "rrr", rows) + "\n"
    return text + records.source() + "\n"


def against_cells(rung, one, first):
    if not one:
        return [rung, "", "not measured", "", ""]
    m, s = one
    if spoiled(s):
        return [rung_name(m), tuning(m), f"**{spoiled(s)}**", "", ""]
    held = "" if one is first else "-" if not first or spoiled(first[1]) else factor(first, one)
    return [rung_name(m), tuning(m), seconds(s["median"], s["uncertainty"]), number(s["gbs"], s["uncertainty"]), held]


def resident(m):
    return None if m["blocks_per_sm"] is None else f"{m['blocks_per_sm']} ({m['limiter']})"


def facts_of_table(records, backends, rungs="", **wanted):
    """What each rung is on each backend: one figure where it is the same on all, else one for each, in their order."""
    backends = backends.split(",")
    one_process(records, backends)
    chosen = {backend: records.select(backend=backend, **wanted) for backend in backends}
    facts = {"block": lambda m: m["block"], "items": lambda m: m["items"], "grid": lambda m: m["grid"],
             "launches": lambda m: m["launches"], "registers": lambda m: m["registers"],
             "shared bytes": lambda m: m["shared_bytes"], "blocks a multiprocessor": resident}

    def facts_on(backend, rung):
        all_facts = {tuple(fact(m) for fact in facts.values()) for m, _ in chosen[backend] if m["rung"] == rung}
        if len(all_facts) > 1:
            sys.exit(f"{records.path}: {rung} on {backend} is not the same in all that was measured: narrow the selection")
        return list(all_facts)

    def cell(values):
        shown = ["-" if value is None else str(value) for value in values]
        return shown[0] if len(set(shown)) == 1 else " → ".join(shown)

    def row(rung):
        there = [backend for backend in backends if facts_on(backend, rung)]
        name = names[rung] + ("" if there == backends else f" (only on {listed(there)})")
        return [name] + [cell(values) for values in zip(*(facts_on(backend, rung)[0] for backend in there))]

    names = {m["rung"]: rung_name(m) for side in chosen.values() for m, _ in side}
    kept = rungs.split(",") if rungs else [rung for rung in names if all(
        any(m["rung"] == rung for m, _ in side) for side in chosen.values())]
    for rung in kept:
        if rung not in names:
            sys.exit(f"{records.path}: no {rung} on {listed(backends)} with {wanted}")
    text = f"{' → '.join(backends)} where they differ: of the launch that moves the most; the grid where it is fixed.\n\n"
    return text + table(["rung", *facts], "l" + "r" * len(facts), map(row, kept)) + "\n" + records.source() + "\n"


def across(records, rung, n, of, to, **wanted):
    """One rung's speed on one backend as a part of its speed on another."""
    one_process(records, (of, to))
    mine, theirs = (records.one(**{**wanted, "rung": rung, "n": count(n), "backend": backend}) for backend in (of, to))
    one_problem(records, [mine, theirs])
    refuse_spoiled(records, mine, theirs)
    if any(mine[0][axis] != theirs[0][axis] for axis in TUNING):
        sys.exit(f"{records.path}: {rung} at {elements(count(n))}: {tuning(mine[0])} on {of}, {tuning(theirs[0])} on {to}")
    return number(*quotient(theirs, mine), 3)


def between(records, first, second, n, backend=None, **wanted):
    """How many times as fast one rung is as another, each `backend:rung`."""
    sides = [named(records, name, backend) for name in (first, second)]
    fast, slow = (records.one(**{**wanted, "rung": rung, "n": count(n), "backend": there}) for there, rung in sides)
    one_problem(records, [fast, slow])
    refuse_spoiled(records, fast, slow)
    return factor(slow, fast)


TABLES = {"ratios": ratios_table, "against": against_table, "facts_of": facts_of_table}
FIGURES = {"across": across, "between": between}
