"""The tables of the report, each a list of cells that know which records they come from."""

import dataclasses

import pandas

from . import portability
from .comparable import PROBLEM
from .text import bytes_text, elements, factor, gbs, percent, seconds, tuning


@dataclasses.dataclass(frozen=True)
class Cell:
    """What stands in a table: its text, its value for sorting and for CSV, and the lines that it comes from."""

    text: str
    value: object = None
    trace: tuple = ()
    state: str = ""  # "", "wrong", "separate", "low", "best"


@dataclasses.dataclass
class Table:
    """Rows of cells below their heads. `note` says what a reader has to know of it."""

    id: str
    title: str
    heads: list
    rows: list
    note: str = ""


def problem_text(row):
    words = {"i32": "int32", "i64": "int64", "f32": "float", "f64": "double"}
    return (f"{words.get(row['type'], row['type'])} {row['op']}, n = {elements(row['n'])} ({bytes_text(row['bytes'])}), {row['cache']}, "
            f"{row['scope']} scope")


def best_tuning(rows):
    """Of each rung of a backend the right measurement with the least time, and where none is right, what there is."""
    order = rows.assign(wrong=rows["status"] != "right").sort_values(["wrong", "median"], na_position="last")
    return order.drop_duplicates(["run", "backend", "rung"])


def rung_order(rows):
    """Along the ladder, its libraries behind it."""
    return rows.assign(late=rows["library"].astype(bool)).sort_values(["late", "rung"])


def base_of(row, by_rung):
    """The row that the program held this one's step against, where it is among these."""
    step = row["step"] if isinstance(row["step"], dict) else {}
    return by_rung.get(step.get("versus"))


def ladder_table(rows):
    """One backend on one problem: time, GB/s, parts of peak and ceiling, step, total, spread, checked."""
    rows = rung_order(best_tuning(rows))
    first = rows.iloc[0]
    right = {row["rung"]: row for _, row in rows.iterrows() if row["status"] == "right"}
    start = next((right[rung] for rung in ("r02", "c00") if rung in right), None)
    lines = []
    for _, row in rows.iterrows():
        trace = tuple(place for place in (row["where"], row["summary_where"]) if place)
        if row["status"] != "right":
            lines.append([Cell(row["name"], row["name"], trace), Cell(tuning(row)),
                          Cell(verdict(row), None, trace, "wrong"), *[Cell("")] * 7])
            continue
        before = base_of(row, right)
        lines.append([
            Cell(row["name"], row["name"], trace), Cell(tuning(row)), Cell(seconds(row["median"]), row["median"], trace),
            Cell(gbs(row["gbs"]), row["gbs"], trace), Cell(percent(row["of_peak"]), row["of_peak"], trace),
            Cell(percent(row["of_ceiling"]), row["of_ceiling"], (*trace, row["ceiling_where"]) if row["of_ceiling"] > 0 else trace),
            ratio_cell(before, row), ratio_cell(start, row, of_itself=""),
            Cell(percent((row["p95"] - row["p5"]) / row["median"]), (row["p95"] - row["p5"]) / row["median"], trace),
            Cell(f"{row['count']:.0f}/{row['count']:.0f}", row["count"], trace)])
    title = f"{first['backend']} on {first['device']}: {problem_text(first)}"
    heads = ["rung", "tuning", "time", "GB/s", "% of peak", "% of ceiling", "step", "total", "spread", "checked"]
    return Table(table_id("ladder", first), title, heads, lines,
                 "step: how many times as fast as the nearest measured rung that it changes; total: as r02 (c00). "
                 "Spread: from the 5th to the 95th percentile, as a part of the median.")


def table_id(kind, row):
    return "-".join(str(part) for part in (kind, row["run"], row["backend"], row["type"], row["op"], row["n"], row["cache"],
                                           row["scope"])).replace("/", "_")


def verdict(row):
    if row["status"] == "wrong":
        return f"wrong in {row['wrong']:.0f} of {row['count']:.0f}"
    return "failed" + (f": {row['error']}" if row["error"] else "") if row["status"] == "failed" else "unfinished"


def ratio_cell(slow, fast, of_itself=None):
    if slow is None or (of_itself is not None and slow["rung"] == fast["rung"]):
        return Cell(of_itself or "")
    value = slow["median"] / fast["median"]
    return Cell(f"{factor(value)} {slow['rung']}" if of_itself is None else factor(value), value,
                (slow["summary_where"], fast["summary_where"]))


def sides_of(rows, native, other):
    """Pairs of one problem and rung, those of one process first; the best tuning of each side."""
    left, right = (best_by_problem(rows[rows["backend"] == backend]) for backend in (native, other))
    pairs = left.merge(right, on=[*PROBLEM, "rung"], suffixes=("", "_other"), how="inner")
    pairs["interleaved"] = pairs["run"] == pairs["run_other"]
    return pairs.sort_values("interleaved", ascending=False).drop_duplicates([*PROBLEM, "rung"])


def best_by_problem(rows):
    rows = rows[rows["status"] == "right"]
    return rows.sort_values("median").drop_duplicates(["run", *PROBLEM, "rung"])


def portability_matrix(rows, native, others):
    """Each rung's speed on the other backends as a part of the native one's, on the largest problem that both have."""
    tables = []
    for problem, group in rows[rows["library"] == False].groupby(PROBLEM, dropna=False, sort=False):  # noqa: E712
        pairs = {other: sides_of(group, native, other) for other in others}
        pairs = {other: found for other, found in pairs.items() if not found.empty}
        if not pairs:
            continue
        first = next(iter(pairs.values())).iloc[0]
        rungs = sorted(set().union(*(found["rung"] for found in pairs.values())))
        lines = []
        for rung in rungs:
            name = next(found[found["rung"] == rung]["name"].iloc[0] for found in pairs.values() if rung in set(found["rung"]))
            line = [Cell(name, name)]
            for found in pairs.values():
                pair = found[found["rung"] == rung]
                line.append(Cell("") if pair.empty else part_cell(pair.iloc[0]))
            lines.append(line)
        separate = any(not found["interleaved"].all() for found in pairs.values())
        note = f"Speed as a part of {native}'s on the same device; each side's best measured tuning."
        if separate:
            note += " * from separate processes: clocks and neighbours may have differed."
        tables.append(Table(table_id("matrix", first), f"Beside {native} on {first['device']}: {problem_text(first)}",
                            ["rung", *pairs], lines, note))
    return tables


def part_cell(pair):
    value = pair["median"] / pair["median_other"]
    text = f"{value:.3f}" + ("" if pair["interleaved"] else " *")
    state = "separate" if not pair["interleaved"] else "low" if value < 0.9 else ""
    return Cell(text, value, (pair["summary_where"], pair["summary_where_other"]), state)


def phi_table(rows):
    """Performance portability of each model over all platforms of the report; nothing where no problem is common to two."""
    problem, found = portability.reached(rows)
    platforms = list(dict.fromkeys(platform for by in found.values() for platform in by))
    if problem is None or len(platforms) < 2:
        return None
    lines = []
    for model, by in sorted(found.items(), key=lambda item: -portability.phi(item[1], platforms, "application")):
        trace = tuple(one.row["summary_where"] for one in by.values())
        line = [Cell(model, model)]
        for kind in ("architectural", "application"):
            value = portability.phi(by, platforms, kind)
            line.append(Cell(f"{value:.3f}" if value else "0", value, trace))
        for platform in platforms:
            one = by.get(platform)
            line.append(Cell(f"{100 * one.architectural:.1f} %, {100 * one.application:.1f} % ({one.row['name']}, {one.row['backend']})",
                             one.application, (one.row["summary_where"],)) if one else Cell("not supported", 0.0, (), "low"))
        lines.append(line)
    return Table("performance-portability", f"{problem['type']} {problem['op']}, n = {elements(problem['n'])}, {problem['cache']}",
                 ["model", "Φ architectural", "Φ application", *platforms], lines,
                 "Φ: harmonic mean over the platforms of this report, zero where one is not supported (Pennycook, Sewall, Lee). "
                 "Architectural: of the read-only ceiling; application: of the best that any model reached there. Each model's best "
                 "rung; device time on a GPU, wall time on a CPU.")


def machines_table(study, rows):
    """What was measured where, and how."""
    lines = []
    for (run, backend), device in study.devices.iterrows():
        about = study.runs.loc[run]
        of_it = rows[(rows["run"] == run) & (rows["backend"] == backend)]
        if of_it.empty:
            continue
        peak = device["peak_gbs"]
        lines.append([Cell(backend), Cell(str(device["name"])),
                      Cell(f"{peak:.0f} GB/s" if peak and not pandas.isna(peak) else "unknown", peak, (about["where"],)),
                      Cell(str(about["date"])[:10]), Cell(str(about["commit"])), Cell(str(len(of_it)), len(of_it)),
                      Cell(" ".join(about["command"]).replace("./", "")), Cell(str(of_it["eviction"].iloc[0] or ""))])
    return Table("machines", "Machines, and how they were measured",
                 ["backend", "device", "theoretical peak", "date", "commit", "measurements", "command", "eviction"], lines)
