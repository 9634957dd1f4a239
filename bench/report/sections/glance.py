"""The study's question answered at a glance: what each backend reaches on each device, and what portability costs."""

import re

from ..comparable import ASKED
from ..pairs import APART, pairs
from ..parts import Cell, Section, Table
from ..text import digits, gbs, percent, problem_text
from ..view import ceiling_trace, native_of, trace_of
from . import ladder


def best_of(rows, sort):
    """The fastest row of a sort for each backend: {backend: row}."""
    rows = rows[rows["sort"] == sort].sort_values("median", kind="stable").drop_duplicates("backend")
    return {row["backend"]: row for _, row in rows.iterrows()}


def cost(view, device, native, backend):
    """Pairs of a backend's rungs and the native one's on the headline problem; nothing where there is none."""
    problem = view.headline(device).iloc[0]
    rows = view.right[(view.right["device"] == device) & (view.right["sort"] == "rung")]
    for name in ASKED:
        rows = rows[rows[name] == problem[name]]
    found = pairs(rows, native, backend)
    return None if found.empty else found


def device_lines(view, device):
    """(sentence, table's rows) of a device."""
    rows = view.headline(device)
    best, libraries = best_of(rows, "rung"), best_of(rows, "library")
    if not best:
        return None, []
    native = native_of(best)
    first = min(best.values(), key=lambda row: row["median"])
    library = min(libraries.values(), key=lambda row: row["median"], default=None)
    of = [f"{percent(first[part])} % of the {name}"
          for part, name in (("of_peak", "theoretical peak"), ("of_ceiling", "read-only ceiling")) if 0 < first[part] <= 1.05]
    sentence = (f"{device}, {problem_text(first)}: {first['name']} in {first['backend']} reaches {gbs(first['gbs'])} GB/s"
                + (f", {' and '.join(of)}" if of else "") + ".")
    lines, costs = [], []
    for backend, row in best.items():
        found = cost(view, device, native, backend) if native and backend != native else None
        beside = Cell("")
        if found is not None:
            parts = found["part"]
            together = found["interleaved"].all()
            beside = Cell(f"{parts.median():.2f} ({parts.min():.2f} to {parts.max():.2f})" + ("" if together else " *"), float(parts.median()),
                          tuple(dict.fromkeys([*found["summary_where"], *found["summary_where_other"]])),
                          "" if together else "separate")
            costs.append(f"{backend} {parts.median():.2f} of {native}'s speed in the median rung ({parts.min():.2f} at the least, "
                         f"{found.loc[parts.idxmin()]['name']})" + ("" if together else ", in separate processes"))
        elif native and backend != native:  # other rungs: the best of each
            beside = best_cell(row, best[native])
            if not backend.endswith("/serial"):  # one thread beside all is no cost of the model
                costs.append(f"{backend}'s best is {digits(beside.value, 3)} of {native}'s"
                         + (", in separate processes" if beside.state else ""))
        trace = trace_of(row)
        held = Cell("") if library is None else best_cell(row, library)
        lines.append([Cell(backend, backend), Cell(short_of(device), device), Cell(row["name"].replace("_", " "), row["name"], trace),
                      Cell(gbs(row["gbs"]), row["gbs"], trace), ladder.peak_cell(row), beside, held,
                      Cell(percent(row["of_ceiling"]), row["of_ceiling"], ceiling_trace(row))])
    if costs:
        sentence += f" Portability costs: {'; '.join(costs)}."
    return sentence, lines


def best_cell(row, other):
    """A row's speed as a part of another's; marked where they are of two processes."""
    part, same = other["median"] / row["median"], other["run"] == row["run"]
    return Cell(digits(part, 3) + ("" if same else " *"), part, trace_of(row, other), "" if same else "separate")


def short_of(device):
    """A processor's name without what all of them have."""
    return re.sub(r"\((R|TM)\)| (Processor|CPU)$", "", device)


def section(view):
    """(sentences, section)"""
    sentences, lines = [], []
    for device in view.devices:
        sentence, more = device_lines(view, device)
        if sentence:
            sentences.append(sentence)
            lines += more
    table = Table("glance", "The best rung of each backend", [
        "backend", "device", "best rung", "GB/s", "% of peak", "beside native", "beside library", "% of ceiling"], lines,
        "Beside native: speed as a part of the native model's, of the rungs that both have the median, and from the least to the most; "
        "where they share none, of the best. Beside library: of the fastest one measured. GB/s: each element counted "
        "once. Peak: the vendor's figure; ceiling: the best read-only sweep of the same process." + APART)
    drawn = [ladder.bars(view, device) for device in view.devices if len(view.headline(device))]
    return sentences, Section("glance", "At a glance", "", [table], drawn)
