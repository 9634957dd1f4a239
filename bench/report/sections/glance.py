"""The study's question answered at a glance: what each backend reaches on each device, and what portability costs."""

import re

from .. import cells
from ..pairs import ASKED, of_problem, pairs
from ..parts import Cell, Section, Table
from ..text import number, percent, problem_text
from ..view import native_of
from . import ladder


def best_of(rows, sort):
    """The fastest row of a sort for each backend: {backend: row}."""
    rows = rows[rows["sort"] == sort].sort_values("time", kind="stable").drop_duplicates("backend")
    return {row["backend"]: row for row in rows.to_dict("records")}


def device_lines(view, device):
    """(sentence, table's rows) of a device."""
    rows = view.headlines[device]
    best, libraries = best_of(rows, "rung"), best_of(rows, "library")
    if not best:
        return None, []
    native = native_of(best)
    first = min(best.values(), key=lambda row: row["time"])
    library = min(libraries.values(), key=lambda row: row["time"], default=None)
    of = [f"{percent(first[part], first[doubt])} % of the {name}" for part, doubt, name in (
        ("of_peak", "uncertainty", "theoretical peak"), ("of_ceiling", "of_ceiling_uncertainty", "read-only ceiling"))
          if 0 < first[part] <= 1.05]
    sentence = (f"{device}, {problem_text(first)}: {first['name']} in {first['backend']} reaches {cells.gbs(first).text} GB/s"
                + (f", {' and '.join(of)}" if of else "") + ".")
    same = of_problem(view.right[view.right["sort"] == "rung"], rows.iloc[0], ["device", *ASKED])
    lines, costs = [], []
    for backend, row in best.items():
        beside, found = Cell(""), pairs(same, native, [backend])
        if len(found) and backend != native:
            together, middle, least, most = found["interleaved"].all(), *spread_of(found)
            state = "" if together else "separate"
            beside = Cell(f"{middle} ({least} to {most}){cells.mark(state)}", float(found["part"].median()),
                          tuple(dict.fromkeys(place for word in ("", "_other") for places in found["summary_where" + word]
                                              for place in places)), state)
            costs.append(f"{backend} {middle} of {native}'s speed in the median rung ({least} at the least, "
                         f"{found.loc[found['part'].idxmin()]['name']})" + ("" if together else ", in separate processes"))
        elif native and backend != native:  # other rungs: the best of each
            beside = cells.ratio(best[native], row)
            if not backend.endswith("/serial"):  # one thread beside all is no cost of the model
                costs.append(f"{backend}'s best is {cells.ratio_text(best[native], row)} of {native}'s"
                             + (", in separate processes" if beside.state else ""))
        short = re.sub(r"\((R|TM)\)| (Processor|CPU)$", "", device)  # without what all processors have
        lines.append([Cell(backend, backend), Cell(short, device),
                      Cell(row["name"].replace("_", " "), row["name"], cells.trace_of(row)), cells.gbs(row), cells.of_peak(row),
                      beside, cells.ratio(library, row) if library else Cell(""), cells.of_ceiling(row)])
    return sentence + (f" Portability costs: {'; '.join(costs)}." if costs else ""), lines


def spread_of(found):
    """The median, the least and the largest part of these pairs, each as sure as the pair that it is of."""
    ordered = found.sort_values("part")
    middle = ordered.iloc[(len(ordered) - 1) // 2]
    return (number(value, row["part_uncertainty"], 3) for value, row in (
        (found["part"].median(), middle), *((row["part"], row) for row in (ordered.iloc[0], ordered.iloc[-1]))))


def section(view):
    """(sentences, section)"""
    said = [device_lines(view, device) for device in view.devices]
    table = Table("glance", "The best rung of each backend", [
        "backend", "device", "best rung", "GB/s", "% of peak", "beside native", "beside library", "% of ceiling"],
        [line for _, lines in said for line in lines],
        "Beside native: the speed as a part of the native model's, over the rungs that both have: the median, and from the "
        "least to the largest; where they share no rung, of the best of each. Beside library: the speed as a part of the "
        "fastest library's. GB/s: each element counted once. Peak: the vendor's figure; ceiling: the best read-only sweep of "
        "the same process." + cells.of_processes(*(rows["processes"] for rows in view.headlines.values())) + cells.APART)
    drawn = [ladder.bars(view, device) for device in view.devices if len(view.headlines[device])]
    return [sentence for sentence, _ in said if sentence], Section("glance", "At a glance", "", [table], drawn)
