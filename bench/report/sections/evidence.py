"""The evidence of each step beside its gain: what the hardware counted, and what stands in the machine code."""

import textwrap

from ..drawing import GREY, INK, finish, new, style_of
from ..parts import Cell, Section, Table, name_of
from ..text import TYPES, digits, elements, factor, missing, tuning
from ..view import trace_of

BYTES = {"i32": 4, "f32": 4, "i64": 8, "f64": 8}
FACTS = {
    "lanes_per_instruction": "lanes an instruction, of 32", "branch_efficiency": "branches taken as one, %",
    "instructions_per_element": "instructions an element", "instructions": "instructions of warps", "loops": "loops in the code",
    "barriers_per_warp": "barriers a warp", "stalled_barrier": "warps at a barrier, an instruction",
    "shared_loads": "shared loads of warps", "bytes_per_shared_load": "bytes a shared load",
    "wavefronts_per_shared_load": "turns a shared load", "conflicts": "bank conflicts, 10^6 elements",
    "load_bytes": "bytes a global load, a lane", "sectors_per_request": "sectors a global load",
    "l1_set_accesses_per_load": "L1 look-ups a global load", "l1_lookups_per_cycle": "L1 look-ups a cycle",
    "stalled_global": "warps at global memory, an instruction", "dram_read": "read from DRAM, of the input",
    "l2_to_l1": "from L2 to L1, of the input", "issue_active": "issuing cycles, %", "warps_active": "warps resident, %",
    "registers": "registers a thread", "grid": "blocks", "atomics": "atomics of warps",
}
SAID = FACTS | {"gain": "step speed-up"}
PANELS = [("lanes_per_instruction", "conflicts"), ("instructions_per_element", "barriers_per_warp"), ("load_bytes", "issue_active")]
OPTIONAL = ["slug", "block", "items", "grid", "workers", "opcodes"]
CUT = 8  # a gain's bar ends there
LOGARITHMIC = {"gain", "conflicts", "instructions_per_element"}
NOTE = ("Counted in separate profiled runs, whose times are not used. step: of the timed measurements on the headline problem of the "
        "device, each rung's fastest tuning; in brackets the rung that it is against; bars end at 8×. A fact not counted is left "
        "open.")


def value_of(record, name):
    """A fact of a record; nothing where it was not counted."""
    facts = record["facts"] if isinstance(record["facts"], dict) else {}

    def counted(*names):
        found = [facts[one].get("value") if isinstance(facts.get(one), dict) else None for one in names]
        return None if any(not isinstance(one, (int, float)) or one != one for one in found) else found

    if name == "grid":
        return None if missing(record["grid"]) else int(record["grid"])
    if name == "atomics":
        opcodes = record["opcodes"] if isinstance(record["opcodes"], dict) else None
        return None if opcodes is None else sum(
            count for code, count in opcodes.items() if code.startswith(("RED", "ATOM")) and not code.startswith("REDUX"))
    if name == "conflicts":
        found = counted("bank_conflicts_load", "bank_conflicts_store")
        return found and sum(found) / record["n"] * 1e6
    if name == "load_bytes":
        found = counted("load_bits")
        return found and found[0] / 8
    if name == "l1_lookups_per_cycle":  # the tag stage hands on a wavefront a cycle at most
        found = counted("l1_tag_stage", "l1_set_accesses", "l1_wavefronts")
        return found[0] / 100 * found[1] / found[2] if found and found[2] else None
    found = counted(name)
    if found and name in ("dram_read", "l2_to_l1"):  # said as parts of the input
        return found[0] / (record["n"] * BYTES[record["type"]]) if record["type"] in BYTES else None
    return found and found[0]


def number(value):
    """In three digits, or as it was counted."""
    return f"{value:.0f}" if value == int(value) or value >= 1000 else digits(value, 3)


def records_of(study):
    """The evidence with its device; a field that a record lacks is open."""
    rows = study.evidence
    if rows.empty or not {"run", "backend", "rung", "type", "op", "n", "facts", "where"} <= set(rows.columns):
        return None
    rows = rows.reindex(columns=[*rows.columns, *(name for name in OPTIONAL if name not in rows.columns)])
    rows = rows.dropna(subset=["backend", "rung", "type", "op", "n"])
    devices = study.devices["name"]
    return rows.assign(device=[devices.get((run, backend), "") for run, backend in zip(rows["run"], rows["backend"])])


def groups_of(rows):
    """(device, backend, type, op, n), the records of the run that has the most rungs of it, those of other runs."""
    for key, group in rows.groupby(["device", "backend", "type", "op", "n"], sort=False):
        runs = group.groupby("run")["rung"].nunique().reset_index().sort_values(["rung", "run"], ascending=False)
        main = group["run"] == runs.iloc[0]["run"]
        yield key, ordered(group[main]), ordered(group[~main])


def ordered(rows):
    return rows.sort_values(["rung", "run"], kind="stable").to_dict("records")


def gains_of(view, devices):
    """{(device, backend): {rung: its row}} of the headline problems, of rows with a step."""
    found = {}
    for device in devices:
        for row in view.headline(device).to_dict("records"):
            if isinstance(row["step"], dict) and not missing(row["step"].get("factor")) and row["step"]["factor"] > 0:
                found.setdefault((device, row["backend"]), {})[row["rung"]] = row
    return found


def table_of(key, records, gains, others=False):
    device, backend, kind, op, n = key
    shown = [name for name in FACTS if any(value_of(record, name) is not None for record in records)]
    heads, lines = [FACTS[name] for name in shown], []
    for record in records:
        name = f"{record['rung']}_{record['slug']}" if isinstance(record["slug"], str) and record["slug"] else record["rung"]
        where = (record["where"],)
        line = [Cell(name, name, where), Cell(tuning(record)) if others else gain_cell(gains.get(record["rung"]))]
        for fact in shown:
            value = value_of(record, fact)
            line.append(Cell("") if value is None else Cell(number(value), value, where))
        lines.append([*line, Cell(record["run"] if others else tuning(record))])
    on = f"{backend} on {device}" if device else backend
    return Table(name_of("evidence", device, backend, kind, op, int(n), "others" if others else ""),
                 f"Evidence of {on}: {TYPES.get(kind, kind)} {op}, n = {elements(n)}" + (", other runs" if others else ""),
                 ["rung", *(("tuning", *heads, "run") if others else ("step", *heads, "tuning"))], lines, NOTE)


def gain_cell(row):
    if row is None:
        return Cell("")
    return Cell(f"{factor(row['step']['factor'])} ({row['step'].get('versus', 'unknown')})", row["step"]["factor"], trace_of(row))


def drawn(key, records, gains, facts):
    """The gain and two facts side by side, a bar for each rung; nothing where neither was counted."""
    device, backend, kind, op, n = key
    by_rung = {record["rung"]: record for record in records}
    values = {"gain": {rung: gains[rung]["step"]["factor"] for rung in by_rung if rung in gains}}
    for fact in facts:
        values[fact] = {rung: value_of(record, fact) for rung, record in by_rung.items() if value_of(record, fact) is not None}
    values = {name: one for name, one in values.items() if one}
    if not set(values) - {"gain"}:
        return None
    rungs = list(by_rung)
    figure, axes = new(0.55 + 0.165 * len(rungs), 1, len(values), sharey=True, squeeze=False, gridspec_kw={"wspace": 0.12})
    for one, (name, by) in zip(axes[0], values.items()):
        bars(one, rungs, name, by, style_of(backend)[0] if name == "gain" else GREY)
    axes[0][0].set_yticks(range(len(rungs)), rungs, fontsize=8)
    axes[0][0].set_ylim(len(rungs) - 0.4, -0.6)
    identifier = name_of("evidence", device, backend, kind, op, int(n), *facts)
    named = [SAID[name] for name in values]
    title = f"{backend}{f' on {device}' if device else ''}: {'; '.join(named)}"
    words = title + ". " + " ".join(
        f"{rung}: " + ", ".join(number(by[rung]) if rung in by else "not known" for by in values.values()) + "." for rung in rungs)
    lines = [[Cell(rung, rung, (by_rung[rung]["where"],))] + [
        Cell("") if rung not in by else gain_cell(gains[rung]) if name == "gain"
        else Cell(number(by[rung]), by[rung], (by_rung[rung]["where"],)) for name, by in values.items()] for rung in rungs]
    return finish(figure, identifier, title, words, Table(identifier, title, ["rung", *named], lines, NOTE, folded=True))


def bars(axes, rungs, name, by, colour):
    """Bars with their numbers behind them; a gain starts at 1, to the left where it is a loss."""
    values = [min(value, CUT) if name == "gain" else value for value in by.values()]
    positive = [value for value in values if value > 0]
    logarithmic = name in LOGARITHMIC and positive and (name == "gain" or max(positive) / min(positive) > 20)
    base = 1 if name == "gain" else min(positive) / 2 if logarithmic else 0
    low, high = min(base, *values) if name == "gain" else base, max(base, *values)
    if logarithmic:
        axes.set_xscale("log")
        axes.set_xlim(low, high * (high / low) ** 0.75 if high > low else 10 * high)
    else:
        axes.set_xlim(0, (high or 1) * 1.6)
    places = [rungs.index(rung) for rung in by]
    axes.barh(places, [(value if name == "gain" else max(value, base)) - base for value in values], left=base, height=0.72, color=colour)
    for place, value, whole in zip(places, values, by.values()):
        axes.annotate(number(whole) + (" (cut)" if whole > value else ""), (max(value, base), place), xytext=(2, 0),
                      textcoords="offset points", va="center_baseline", fontsize=7)
    if name == "gain":
        axes.axvline(1, color=INK, linewidth=0.8)
    axes.spines["left"].set_visible(name != "gain")
    axes.spines["bottom"].set_visible(False)
    axes.set_title(textwrap.fill(SAID[name], 18), fontsize=8, loc="left")
    axes.set_xticks([])
    axes.minorticks_off()
    axes.tick_params(axis="y", length=0)


def section(view):
    rows = records_of(view.study)
    if rows is None or rows.empty:
        return None
    tables, folded, figures = [], [], []
    groups = list(groups_of(rows))
    largest = {key[:2]: max(other[4] for other, *_ in groups if other[:2] == key[:2]) for key, *_ in groups}
    all_gains = gains_of(view, [device for device in view.devices if device in set(rows["device"])])
    for key, main, others in groups:
        gains = all_gains.get(key[:2], {})
        speaks = key[4] == largest[key[:2]]
        (tables if speaks else folded).append(table_of(key, main, gains))
        if others:
            folded.append(table_of(key, others, gains, others=True))
        if speaks and len({record["rung"] for record in main}) > 1:
            figures += [figure for figure in (drawn(key, main, gains, facts) for facts in PANELS) if figure]
    for table in folded:
        table.folded = True
    return Section("evidence", "The evidence of each step beside its gain",
                   "What explains a step: a profiler's counters and the machine code beside the step's speed-up. The counters come from "
                   "separate profiled runs, whose times are not used; the speed-ups from timed measurements, which no profiler watched.",
                   tables + folded, figures)
