"""Published figures beside ours: the same steps on other machines, each as a percentage of its machine's own peak.

docs/data/published.csv is what the documents say. Its last column names the measurement here that a line is compared with:
`block rung=r02 block=32` is one of docs/results/h200/block.jsonl.gz."""

import csv
import sys

from .. import cells
from ..parts import Cell, Table
from ..text import elements, number

PLACE = "docs/data/published.csv"
ELEMENT_BYTES = 4  # of all of these
HEADS = ["there", "block", "C", "time there", "GB/s there", "% of their peak", "rung", "n here", "tuning here", "GB/s here",
         "moved GB/s here", "% of our peak"]
SIDES = "lrrrrrlllrrr"
MARKS = {"†": "measured here at another number of elements than there, or theirs is given in words alone.",
         "°": "from the published time, each element counted once."}


def lines(root):
    """The published lines that name a rung."""
    with open(root / PLACE, newline="", encoding="utf-8") as file:
        return [line for line in csv.DictReader(file) if line["rung"]]


def bandwidth(line):
    """GB/s as published, or from the published time, each element counted once; and whether it is the latter."""
    if line["bandwidth_gbs"]:
        return float(line["bandwidth_gbs"]), False
    if line["time_ms"] and line["elements"]:
        return ELEMENT_BYTES * int(line["elements"]) / float(line["time_ms"]) / 1e6, True
    return None, False


def percent_of_peak(line):
    """Of the theoretical peak there, with no more digits than the document has."""
    rate, peak = bandwidth(line)[0], line["theoretical_peak_gbs"]
    if line["percent_of_peak"] or rate and peak:
        return f"{float(line['percent_of_peak'] or 100 * rate / float(peak)):.3g}"
    return "unknown"


def texts_of(line, row):
    """The texts under HEADS: theirs from the published line, ours from the measurement."""
    rate, derived = bandwidth(line)
    same_n = line["elements"] and int(line["elements"]) == row["n"]
    moved = row["moved_bytes"] / row["time"] / 1e9 if row["moved_bytes"] else None
    return [line["kernel_label_in_source"], line["block_size"], line["items_per_thread"],
            f"{float(line['time_ms']):g} ms" if line["time_ms"] else "",
            "" if rate is None else f"{rate:.4g}" + " °" * derived, percent_of_peak(line),
            row["name"], elements(row["n"]) + ("" if same_n else " †"), row["tuning"], cells.gbs(row).text,
            number(moved, row["uncertainty"]), cells.of_peak(row).text]


def table(sources, source):
    """The lines of a document; below them what the marks mean, and where ours are from."""
    rows, cited = [], {}
    for line in lines(sources.root):
        if line["source"] == source:
            name, *fields = line["ours"].split()
            records = sources[f"docs/results/h200/{name}.jsonl.gz"]
            rows.append(texts_of(line, records.one(cache="cold", data="exact", **dict(field.split("=", 1) for field in fields))))
            cited[name] = records.source()
    if not rows:
        sys.exit(f"{PLACE}: nothing from {source}")
    ends = {text.rpartition(" ")[2] for row in rows for text in row}
    marks = " ".join(f"{mark} {meaning}" for mark, meaning in MARKS.items() if mark in ends)
    note = "\n\n".join(filter(None, [marks, *cited.values()]))
    return Table("", "", HEADS, [[Cell(text) for text in row] for row in rows], note, sides=SIDES)
