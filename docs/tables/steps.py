"""The ladder itself, and each of its steps: the change, the prediction, the measurement, the evidence, the published."""

import csv
import sys

from . import compared
from .published import best_of, quoted
from .records import ROOT
from .text import BYTES, TYPES, count, elements, factor, number, percent, seconds, table

sys.path.insert(0, str(ROOT / "tools"))
import rung_diffs  # noqa: E402

# The facts of tools/evidence.py, in words.
FACTS = {
    "branch_efficiency": "% of the branches that a warp takes as one",
    "lanes_per_instruction": "lanes that take part in an instruction, of 32",
    "bytes_per_shared_load": "bytes that a shared load of a warp asks for, where any lane takes part",
    "wavefronts_per_shared_load": "turns that shared memory takes for such a load",
    "bank_conflicts_load": "bank conflicts of shared loads",
    "barriers_per_warp": "barriers that a warp meets",
    "sectors_per_request": "sectors (32 bytes) that a global load of a warp touches",
    "load_bits": "bits of a global load, a lane",
    "loops": "loops in the machine code",
    "instructions": "instructions that warps issue",
    "instructions_per_element": "instructions issued, by 32 lanes, an element",
    "issue_active": "% of the cycles in which a scheduler issues",
    "warps_active": "% of the possible warps resident",
    "l1_set_accesses_per_load": "look-ups in L1 for such a load",
    "l1_lookups_per_cycle": "look-ups in a cycle of a multiprocessor's L1",
    "stalled_global": "warps waiting for global memory, for each instruction issued",
    "dram_read": "bytes read from DRAM, by those of the input",
    "l2_to_l1": "bytes brought from L2 to L1, by those of the input",
    "registers": "registers of a thread, as allocated",
    "grid": "blocks launched",
    "atomics": "atomic updates that warps execute",
    "stalled_barrier": "warps waiting at a barrier, for each instruction issued",
    "shared_loads": "shared loads of warps in which any lane takes part",
}


def ladder_table(listing, which):
    rows = [[r["id"], r["slug"], r["idea"].replace("|", "\\|"), r["base"] or "-", r["sources"]]
            for r in listing["ladders"][which]]
    return table(["rung", "slug", "the one change", "base", "from"], "lllll", rows)


def source_of(rung):
    found = sorted((ROOT / "cuda" / "rungs").glob(f"{rung}_*"))
    if len(found) != 1:
        sys.exit(f"cuda/rungs: {len(found)} files of {rung}")
    return found[0]


def fact(record, name):
    """One fact of a record of evidence as text; bytes as a part of the input's."""
    if name == "grid":
        return f"{record['grid']}"
    if name == "atomics":
        return str(sum(n for opcode, n in record["opcodes"].items() if opcode.startswith(("RED", "ATOM"))
                       and not opcode.startswith("REDUX")))
    if name == "l1_lookups_per_cycle":  # the tag stage hands on a wavefront a cycle at most
        facts = {key: one["value"] for key, one in record["facts"].items()}
        return f"{facts['l1_tag_stage'] / 100 * facts['l1_set_accesses'] / facts['l1_wavefronts']:.3g}"
    value = record["facts"].get(name, {}).get("value")
    if value is None:
        return "-"
    if name in ("dram_read", "l2_to_l1"):
        value /= record["n"] * BYTES[record["type"]]
    return str(value) if isinstance(value, int) else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def diff_block(base, rung, launch=False):
    """What changed, the launch left out unless it is what changed."""
    until = None if launch else "template <class Case>"
    lines = rung_diffs.changed(source_of(base), source_of(rung), context=1, until=until, indented=True)
    return "```diff\n" + "\n".join(lines) + "\n```\n\n"


def all_predictions():
    with open(ROOT / "docs" / "predictions.csv") as file:
        return list(csv.DictReader(file))


def predictions(rung):
    return [line for line in all_predictions() if line["rung"] == rung]


def step_block(files, ladder, rung, records, evidence="", facts="", launch="", n="2^12,2^16,2^20,2^24,2^28,2^30",
               **wanted):
    """Everything about one rung that is not prose: all of it CUDA's, whatever else the records hold."""
    if wanted.setdefault("backend", "cuda") != "cuda":
        sys.exit(f"a step shows the source of a CUDA rung: {rung} cannot be shown on {wanted['backend']}")
    base = ladder[rung]["base"]
    measured = files[records]
    text = diff_block(base, rung, launch=bool(launch)) if base else ""
    rows = []
    for size in map(count, n.split(",")):
        m, s = one = measured.one(rung=rung, n=size, **wanted)
        u = s["uncertainty"]
        rows.append([elements(size), seconds(s["median"], u), number(s["gbs"], u),
                     percent(s["of_ceiling"], s.get("of_ceiling_uncertainty", u)), percent(s["of_peak"], u)]
                    + ([factor(measured.one(rung=base, n=size, **wanted), one)] if base else []))
    text += table(["n", "time", "GB/s", "% ceiling", "% peak"] + ([f"against {base}"] if base else []),
                  "lrrrrr"[:5 + bool(base)], rows) + "\n"
    for line in predictions(rung):
        there = {side: measured.one(rung=line[side], n=int(line["n"]), **wanted) for side in ("rung", "against")}
        text += (f"Predicted against {line['against']} at {elements(int(line['n']))}: {line['factor']}×. {line['because']} "
                 f"Measured: {factor(there['against'], there['rung'])}.\n\n")
    if facts:
        found = files[evidence]
        sides = [side for side in (base, rung) if side]
        text += table(["evidence"] + sides, "l" + "r" * len(sides),
                      [[FACTS[name]] + [fact(found.facts(side, backend="cuda"), name) for side in sides] for name in facts.split(",")]) + "\n"
    text += best_of(ladder[rung]["slug"], ladder[base]["slug"] if base else "")
    return text.rstrip() + "\n"


def evidence_table(records, backends, facts, rungs, **wanted):
    """What the hardware did in each rung on each backend, by the names of the facts: one figure for each, in their order."""
    sides = backends.split(",")
    names = facts.split(",")
    rows = []
    for rung in rungs.split(","):
        found = [records.facts(rung, backend=backend, **wanted) for backend in sides]
        rows.append([f"{rung}_{found[0]['slug']}"] + [" → ".join(fact(one, name) for one in found) for name in names])
    text = f"{' → '.join(sides)}, {TYPES[found[0]['type']]} {found[0]['op']}, {elements(found[0]['n'])} elements.\n\n"
    return text + table(["rung", *(FACTS[name] for name in names)], "l" + "r" * len(names), rows) + "\n" + records.source() + "\n"


def inline(files, defaults, words):
    """One figure in prose: `time RUNG N`, `gbs RUNG N`, `ceiling RUNG N`, `peak RUNG N`, `blocks RUNG N` (begun a
    second), `ratio SLOW FAST N`, `fact RUNG NAME`, `published COLUMN` (of docs/data/published.csv), `across RUNG N
    of=BACKEND to=BACKEND` (a part of the other's speed), `between BACKEND:RUNG BACKEND:RUNG N` (the first's speed over
    the second's).

    What follows as key=value narrows the selection, or names another file by records= or evidence=.
    """
    kind, *rest = words.split()
    if kind == "published":
        return quoted(rest[0], **dict(word.split("=", 1) for word in rest[1:]))
    options = {**defaults, **dict(word.split("=", 1) for word in rest if "=" in word)}
    rest = [word for word in rest if "=" not in word]
    measured, evidence = options.pop("records"), options.pop("evidence", None)
    if kind == "fact":
        rung, name = rest
        more = {key: value for key, value in options.items() if key not in defaults}
        shown = fact(files[evidence].facts(rung, **more), name)
        if shown == "-":
            sys.exit(f"no {name} in the evidence of {rung}")
        return shown
    if kind in compared.FIGURES:
        return compared.FIGURES[kind](files[measured], *rest, **options)
    *rungs, n = rest
    found = [files[measured].one(rung=rung, n=count(n), **options) for rung in rungs]
    compared.refuse_spoiled(files[measured], *found)
    if kind == "ratio":
        return factor(*found)
    m, s = found[0]
    u = s["uncertainty"]
    items = {"r06": 2, "r09": 2, "r10": 2}.get(rungs[0], m["items"] or 1)  # what a thread takes, where it is no axis
    shown = {"blocks": lambda: number(m["n"] / (items * m["block"]) / s["median"] / 1e9, u, 3) + " billion blocks",
            "time": lambda: seconds(s["median"], u), "gbs": lambda: number(s["gbs"], u) + " GB/s",
            "peak": lambda: percent(s["of_peak"], u) + " %",
            "ceiling": lambda: percent(s["of_ceiling"], s.get("of_ceiling_uncertainty", u)) + " %"}
    if kind not in shown:
        sys.exit(f"no figure of the kind '{kind}': {', '.join(['published', 'fact', 'ratio', *compared.FIGURES, *shown])}")
    return shown[kind]()
