"""The evidence of each step beside its gain: what the hardware counted, and what stands in the machine code."""

import collections
import csv
import pathlib
import re

from ..cells import named, trace_of
from ..pairs import of_problem
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import elements, factor, missing

with open(pathlib.Path(__file__).parents[1] / "evidence.csv", encoding="utf-8") as file:
    TOLD = {line["fact"]: line for line in csv.DictReader(file)}
FACTS = {name: line["words"] for name, line in TOLD.items() if line["words"]}
NOTE = ("Counted in separate profiled runs, whose times are not used. step: of the timed measurements on the headline problem "
        "of the device, each rung's fastest tuning; in brackets the rung that it is against. A fact not counted "
        "is left open.")


def of_input(record, count):
    return count / (record["n"] * record["element_bytes"]) if record["element_bytes"] else None


FORMULAS = {  # of facts that are not told as they were counted: what of, and how
    "grid": ((), lambda record: record.get("grid")),
    "conflicts": (("bank_conflicts_load", "bank_conflicts_store"), lambda record, *both: sum(both) / record["n"] * 1e6),
    "load_bytes": (("load_bits",), lambda record, bits: bits / 8),
    "l1_lookups_per_cycle": (("l1_tag_stage", "l1_set_accesses", "l1_wavefronts"),  # the tag stage hands on one wavefront a cycle
                             lambda record, busy, looked_up, waves: busy / 100 * looked_up / waves if waves else None),
    "dram_read": (("dram_read",), of_input), "l2_to_l1": (("l2_to_l1",), of_input)}


def value_of(record, name):
    """A fact of a record; nothing where it was not counted."""
    if name == "atomics":
        updates = [count for code, count in record.get("opcodes", {}).items() if re.match("RED(?!UX)|ATOM", code)]
        return sum(updates) if "opcodes" in record else None
    names, formula = FORMULAS.get(name, ((name,), lambda record, count: count))
    counted = [(record["facts"].get(one) or {}).get("value") for one in names]
    return formula(record, *counted) if all(isinstance(one, (int, float)) for one in counted) else None


def fact_cell(record, name):
    """As it was counted, in three digits where it is no whole number; empty where it was not counted."""
    value = value_of(record, name)
    if value is None:
        return Cell("")
    return Cell(f"{value:.0f}" if value == int(value) or value >= 1000 else f"{value:.3g}", value, (record["where"],))


def groups_of(records):
    """(device, backend, type, op, n), the records of the run that has the most rungs of it, those of other runs."""
    groups = {}
    for record in sorted(records, key=lambda one: (one["rung"], one["run"])):
        groups.setdefault(tuple(record[name] for name in ("device", "backend", "type", "op", "n")), []).append(record)
    for key, group in groups.items():
        rungs = collections.Counter(run for run, _ in {(record["run"], record["rung"]) for record in group})
        most = max(rungs, key=lambda run: (rungs[run], run))
        yield key, *([record for record in group if (record["run"] == most) == main] for main in (True, False))


def gains_of(view, device, backend):
    """{rung: its row} of a backend on the device's headline problem, of rows with a step."""
    rows = as_rows(view.headlines[device]) if device in view.devices else ()
    return {row["rung"]: row for row in rows if row["backend"] == backend and isinstance(row["step"], dict)
            and not missing(row["step"].get("factor")) and row["step"]["factor"] > 0}


def table_of(key, records, gains, folded, others=False):
    device, backend, _, op, n = key
    shown = [name for name in FACTS if TOLD[name]["in table"]  # bank conflicts and loads in all are for other pages
             and any(value_of(record, name) is not None for record in records)]
    lines = [[named(record), Cell(record["tuning"]) if others else gain_cell(gains.get(record["rung"])),
              *(fact_cell(record, name) for name in shown), Cell(record["run"] if others else record["tuning"])]
             for record in records]
    heads = [FACTS[name] for name in shown]
    title = f"Evidence of {backend} on {device}: {records[0]['words']} {op}, n = {elements(n)}"
    return Table(name_of("evidence", *key, "others" if others else ""), title + (", other runs" if others else ""),
                 ["rung", *(("tuning", *heads, "run") if others else ("step", *heads, "tuning"))], lines, NOTE, folded)


def gain_cell(row):
    if row is None:
        return Cell("")
    step = row["step"]
    return Cell(f"{factor(step['factor'], step.get('uncertainty'))} ({step.get('versus', 'unknown')})", step["factor"],
                trace_of(row))


BUSY = {"issue_active": "issue slots", "l1_tag_stage": "look-up stage of the L1 cache", "warps_active": "places for warps"}


def busy(view):
    """Of each rung that was profiled, at its largest size, how busy the hardware was: [{device, backend, rung, n, bars: (what,
    text, %, lines)}]."""
    found = {}
    for record in sorted(view.study.others["evidence"], key=lambda one: -one["n"]):
        bars = [(words, f"{fact['value']:.3g} %", fact["value"], (record["where"],)) for name, words in BUSY.items()
                for fact in [record["facts"].get(name) or {}] if isinstance(fact.get("value"), (int, float))]
        read, row = (record["facts"].get("dram_read") or {}).get("value"), timed(view, record)
        if read and row is not None and row["peak_gbs"] > 0:
            part = 100 * read / row["time"] / 1e9 / row["peak_gbs"]
            bars.append(("DRAM, of its theoretical peak", f"{part:.3g} %", part, (record["where"], *trace_of(row))))
        if bars:
            key = tuple(record[name] for name in ("device", "backend", "rung"))
            found.setdefault(key, dict(zip(("device", "backend", "rung", "n", "bars"), (*key, elements(record["n"]), bars),
                                           strict=True)))
    return list(found.values())


def timed(view, record):
    """The timed measurement of what was profiled; nothing where there is none."""
    rows = of_problem(view.settled, record, ["device", "backend", "rung", "type", "op", "n"])
    rows = rows[(rows["cache"] == "cold") & (rows["data"] == "exact") & (rows["scope"] == "kernel")]
    return None if rows.empty else rows.iloc[0]


STATIC = {"vgprs": "VGPRs", "sgprs": "SGPRs", "lds_static_bytes": "static LDS, bytes", "lds_dynamic_bytes": "dynamic LDS, bytes",
          "spills": "spills", "waves": "waves per SIMD", "instructions": "instructions"}


def static_table(records):
    """What a compiler made of each rung for GPUs that nothing was run on."""
    lines = [[Cell(record["rung"]), Cell(record["backend"]), Cell(record["architecture"]),
              *(Cell("" if value is None else str(value), value, (record["where"],))
                for value in map(record["facts"].get, STATIC))]
             for record in sorted(records, key=lambda one: (one["architecture"], one["rung"], one["backend"]))]
    return Table("static", "Compiled for AMD, never run: what is in the machine code",
                 ["rung", "backend", "architecture", *STATIC.values()], lines,
                 "None of these was measured, and none says how fast anything is.", folded=True)


def section(view):
    tables = []
    groups = list(groups_of(view.study.others["evidence"]))
    for key, main, others in groups:
        gains, speaks = gains_of(view, *key[:2]), key[4] == max(other[4] for other, *_ in groups if other[:2] == key[:2])
        tables.append(table_of(key, main, gains, not speaks))
        tables += [table_of(key, others, gains, True, others=True)] if others else []
    if view.study.others["static"]:
        tables.append(static_table(view.study.others["static"]))
    return section_of("evidence", "The evidence of each step beside its gain",
                      "What explains a step: a profiler's counters and the machine code beside the step's speed-up. The counters "
                      "come from separate profiled runs, whose times are not used; the speed-ups from timed measurements, which "
                      "no profiler watched.", sorted(tables, key=lambda table: table.folded))
