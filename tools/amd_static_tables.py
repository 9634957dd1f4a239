"""The tables of tools/amd_static.py's records."""

import collections

import gcn  # by way of shared.py, which knows where the report is
from report.parts import Cell, Table
from report.text import listed


def of(counts):
    """`9 (2)`: nine in the code, two of them in a loop."""
    return f"{counts['all']} ({counts['in_loops']})" if counts["in_loops"] else str(counts["all"])


def lds(facts):
    parts = {"": facts["lds_static_bytes"], " dynamic": facts["lds_dynamic_bytes"]}
    return " + ".join(f"{count}{how}" for how, count in parts.items() if count) or 0


def loads(facts):
    """`4 B: 2, 16 B: 5 (5)`: by what a load brings to a lane."""
    widths = collections.defaultdict(collections.Counter)
    for name, counts in facts["names"].items():
        if width := gcn.load_bytes(name):
            widths[width].update(counts)
    return ", ".join(f"{width} B: {of(counts)}" for width, counts in sorted(widths.items()))


def atomics(facts):
    """`add_f32`, or `cmpswap in a loop` where the hardware has no instruction for it."""
    found = {name.partition("_atomic_")[2]: counts for name, counts in facts["names"].items() if "_atomic_" in name}
    return ", ".join(name + " in a loop" * bool(counts["in_loops"]) for name, counts in found.items())


def loops(facts):
    """`load 2, barrier 1`."""
    words = [word for word in [*gcn.LOOPS.values(), "other"] if word in facts["loops"]]
    return ", ".join(f"{word} {facts['loops'][word]}" for word in words) or 0


COLUMNS = {  # head: the fact below it, or what tells it
    "VGPRs": "vgprs", "AGPRs": "agprs", "SGPRs": "sgprs", "spills": "spills", "scratch bytes": "scratch_bytes", "LDS bytes": lds,
    "waves": "waves", "barriers": "barriers", "LDS loads": "lds_loads", "LDS stores": "lds_stores", "cross-lane": "cross_lane",
    "loads": loads, "under way": "loads_under_way", "atomics": atomics, "flat": "flat", "loops": loops,
    "instructions": "instructions"}
# Columns that are left out where no kernel has any, in words.
RARE = {"AGPRs": "accumulation registers", "spills": "spilled registers", "scratch bytes": "scratch memory",
        "flat": "flat addresses"}


def shown(facts, head):
    column = COLUMNS[head]
    value = column(facts) if callable(column) else facts[column]
    return of(value) if isinstance(value, dict) else str(value)


def tables(records):
    """One table for each architecture."""
    text = ""
    for architecture in dict.fromkeys(record["architecture"] for record in records):
        rows = [record for record in records if record["architecture"] == architecture]
        absent = [head for head in RARE if all(shown(row["facts"], head) == "0" for row in rows)]
        heads = [head for head in COLUMNS if head not in absent]
        first = rows[0]
        without = f" No kernel has {listed([RARE[head] for head in absent], 'or')}." if absent else ""
        lines = [[Cell(f"{row['rung']}_{row['slug']}"), Cell(str(row["block"])),
                  *(Cell(shown(row["facts"], head)) for head in heads)] for row in rows]
        grid = Table("", "", ["rung", "block", *heads], lines).grid()
        text += (f"\n## {architecture}\n\n{first['type']} {first['op']}, waves of {first['facts']['wave']} lanes; "
                 f"{first['compiler']}, `{first['flags']}`.{without}\n\n{grid}")
    return text


def page(text, records):
    """A page with the tables of these records made anew, where it has a place for them."""
    mark = f"<!-- amd-static: {records[0]['type']} {records[0]['op']} -->\n"
    before, found, rest = text.partition(mark)
    _, end, behind = rest.partition("<!-- end -->")
    return before + mark + tables(records) + "\n" + end + behind if found and end else text
