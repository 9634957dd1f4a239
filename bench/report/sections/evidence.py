"""Evidence of each step next to its gain: hardware counters and properties of the machine code."""

import csv
import pathlib
import re

import pandas

from ..cells import named
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows, fullest_run
from ..text import elements
from . import ladder

with open(pathlib.Path(__file__).parents[1] / "evidence.csv", encoding="utf-8") as file:
    TOLD = {line["fact"]: line for line in csv.DictReader(file)}
FACTS = {name: line["words"] for name, line in TOLD.items() if line["words"]}
PROBLEM = ["device", "backend", "type", "op", "n"]
NOTE = ("step: from the timed measurements on the device's headline problem, the fastest tuning relative to its base. Empty: not "
        "counted.")


def of_input(record, count):
    return count / (record["n"] * record["element_bytes"]) if record["element_bytes"] else None


FORMULAS = {  # facts derived from counters: (their names, formula)
    "grid": ((), lambda record: record.get("grid")),
    "conflicts": (("bank_conflicts_load", "bank_conflicts_store"), lambda record, *both: sum(both) / record["n"] * 1e6),
    "load_bytes": (("load_bits",), lambda record, bits: bits / 8),
    "l1_lookups_per_cycle": (("l1_tag_stage", "l1_set_accesses", "l1_wavefronts"),  # one wavefront per cycle in the tag stage
                             lambda record, busy, looked_up, waves: busy / 100 * looked_up / waves if waves else None),
    "dram_read": (("dram_read",), of_input), "l2_to_l1": (("l2_to_l1",), of_input)}


def value_of(record, name):
    """Value of a fact in a record; None if not counted."""
    if name == "atomics":
        updates = [count for code, count in record.get("opcodes", {}).items() if re.match("RED(?!UX)|ATOM", code)]
        return sum(updates) if "opcodes" in record else None
    names, formula = FORMULAS.get(name, ((name,), lambda record, count: count))
    counted = [(record["facts"].get(one) or {}).get("value") for one in names]
    return formula(record, *counted) if all(isinstance(one, (int, float)) for one in counted) else None


def fact_cell(record, name):
    """Value as counted, with three digits unless whole; empty if not counted."""
    value = value_of(record, name)
    if value is None:
        return Cell("")
    return Cell(f"{value:.0f}" if value == int(value) or value >= 1000 else f"{value:.3g}", value, (record["where"],))


def gains_of(view, device, backend):
    """{rung: its step} of a backend on the device's headline problem."""
    rows = as_rows(view.headlines[device]) if device in view.devices else ()
    by_rung = {row["rung"]: row for row in rows if row["backend"] == backend}
    return {rung: ladder.ratio(by_rung.get(row["base"]), row, named=True) for rung, row in by_rung.items()}


def table_of(key, records, gains):
    device, backend, _, op, n = key
    shown = [name for name in FACTS if TOLD[name]["in table"]  # total bank conflicts and loads are for other pages
             and any(value_of(record, name) is not None for record in records)]
    lines = [{"rung": named(record), "step": gains.get(record["rung"], ""),
              **{FACTS[name]: fact_cell(record, name) for name in shown}, "tuning": record["tuning"]} for record in records]
    return Table(name_of("evidence", *key), f"Evidence of {backend} on {device}: {records[0]['words']} {op}, n = {elements(n)}",
                 lines, NOTE)


def section(view):
    """A table per problem and backend, from the run with the most rungs, then the latest."""
    records = sorted(view.study.others["evidence"], key=lambda one: (one["rung"], one["run"]))
    asked, tables = pandas.DataFrame(records, columns=[*PROBLEM, "run", "rung"]), []
    for key, some in asked.groupby(PROBLEM, sort=False):
        tables.append(table_of(key, [records[place] for place in fullest_run(some, "rung").index], gains_of(view, *key[:2])))
    return section_of("evidence", "The evidence of each step beside its gain",
                      "A profiler's counters and the machine code explain a step's speed-up. They come from separate profiled "
                      "runs, whose times are not used.", tables)
