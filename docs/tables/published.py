"""The published figures (docs/data/published.csv) beside this project's."""

import csv
import functools
import sys

from .records import ROOT
from .text import elements, number, percent, table

BYTES = {"int": 4, "float": 4, "": 4}
SOURCES = {"bu-cs599": "bu", "blog-5070ti": "blog", "journal-a100": "journal", "me964": "harris", "csc367": "csc"}
HERE = "docs/results/h200/"


@functools.cache
def lines():
    with open(ROOT / "docs" / "data" / "published.csv") as file:
        return list(csv.DictReader(file))


def bandwidth(line):
    """GB/s as published, or from the published time, each element counted once; and whether it is the latter."""
    if line["bandwidth_gbs"]:
        return float(line["bandwidth_gbs"]), False
    if line["time_ms"] and line["elements"]:
        return BYTES[line["type"]] * int(line["elements"]) / float(line["time_ms"]) / 1e6, True
    return None, False


def of_peak(line):
    rate, _ = bandwidth(line)
    peak = line["theoretical_peak_gbs"]
    if line["percent_of_peak"]:
        return float(line["percent_of_peak"])
    return 100 * rate / float(peak) if rate and peak else None


def ours(files, line):
    """The measurement that a line is held against: its last column names records and fields."""
    name, *fields = line["ours"].split()
    return files[f"{HERE}{name}.jsonl.gz"].one(cache="cold", data="exact", **dict(f.split("=", 1) for f in fields))


def published_table(files, source):
    rows, used = [], {}
    for line in of_source(source):
        rate, derived = bandwidth(line)
        theirs = of_peak(line)
        m, s = ours(files, line)
        used[line["ours"].split()[0]] = True
        u = s["uncertainty"]
        shape = [f"{label} {value}" for label, value in (("block", m["block"]), ("grid", m["grid"]), ("C", m["items"])) if value]
        rows.append([line["kernel_label_in_source"], line["block_size"] or "", line["items_per_thread"] or "",
                     f"{float(line['time_ms']):g} ms" if line["time_ms"] else "",
                     "" if rate is None else f"{rate:.4g}" + (" *" if derived else ""),
                     "unknown" if theirs is None else f"{theirs:.3g}",
                     m["rung"], elements(m["n"]), ", ".join(shape), number(s["gbs"], u),
                     number(m["moved_bytes"] / s["median"] / 1e9, u), percent(s["of_peak"], u)])
    if not rows:
        sys.exit(f"docs/data/published.csv: nothing from {source}")
    heads = ["kernel there", "block", "C", "time", "GB/s", "% peak", "here", "n", "tuning", "GB/s", "moved GB/s", "% peak"]
    text = table(heads, "lrrrrrlllrrr", rows) + "\n"
    if any(bandwidth(line)[1] for line in of_source(source)):
        text += "\\* from the published time, each element counted once.\n\n"
    return text + "\n\n".join(files[f"{HERE}{name}.jsonl.gz"].source() for name in used) + "\n"


def of_source(source):
    return [line for line in lines() if line["source"] == source]


def before(mine, line):
    """The lines of a document before one, those of its own rung left out: the last of them is what its step is against."""
    return [one for one in mine[:mine.index(line)] if one["rung"] != line["rung"]]


def steps_table(files, source):
    """The speed-ups that a document gives, beside those of the same measurements here.

    A step is against the rung before in the document, the total against its first, at the same block size where it has
    them at that, else at the best; both sides alike.
    """
    mine = of_source(source)

    def seconds(line):
        return ours(files, line)[1]["median"]

    def reference(candidates, line):
        alike = [one for one in candidates if one["block_size"] == line["block_size"]]
        return min(map(seconds, alike or candidates))

    rows = []
    for line in mine:
        if not (line["step_speedup"] or line["cumulative_speedup"]):
            continue
        earlier = before(mine, line)
        step = [one for one in earlier if one["rung"] == earlier[-1]["rung"]]
        first = [one for one in earlier if one["rung"] == mine[0]["rung"]]
        shown = [line["kernel_label_in_source"], line["block_size"]]
        for column, against in (("step_speedup", step), ("cumulative_speedup", first)):
            theirs = line[column]
            shown += [f"{float(theirs):g}×", f"{reference(against, line) / seconds(line):.3g}×"] if theirs else ["", ""]
        rows.append(shown)
    return table(["kernel there", "block", "step there", "step here", "total there", "total here"], "lrrrrr", rows)


def quoted(column, **wanted):
    """One published figure: `column` of the line whose columns are as wanted; time with its unit, of_peak in percent."""
    chosen = [line for line in lines() if all(line[key] == value for key, value in wanted.items())]
    if len(chosen) != 1:
        sys.exit(f"docs/data/published.csv: {len(chosen)} lines with {wanted}, not one")
    if column == "of_peak":
        return f"{of_peak(chosen[0]):.3g} %"
    return f"{float(chosen[0][column]):g}" + {"time_ms": " ms", "step_speedup": "×"}.get(column, "")


def step_there(line, base_slug):
    """The published step, where it is from the same rung as here."""
    earlier = before(of_source(line["source"]), line)
    same = earlier and earlier[-1]["rung"] == base_slug
    return f"{float(line['step_speedup']):g}×" if same and line["step_speedup"] else ""


def best_of(slug, base_slug):
    """Each source's best figure for a rung, as percent of its own machine's peak."""
    best = {}
    for line in lines():
        share = of_peak(line)
        if line["rung"] == slug and share is not None and share > (of_peak(best[line["source"]]) if line["source"] in best else 0):
            best[line["source"]] = line
    if not best:
        return ""
    rows = []
    for source, line in best.items():
        rows.append([SOURCES[source], line["device"] or "not named", line["type"] or "not named",
                     elements(int(line["elements"])) if line["elements"] else "", line["block_size"], line["items_per_thread"],
                     f"{of_peak(line):.3g}", step_there(line, base_slug)])
    return "Published, the best of each source:\n\n" + table(
        ["source", "machine", "type", "n", "block", "C", "% of its peak", "step there"], "llllrrrr", rows)
