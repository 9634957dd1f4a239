"""Measured beside published: the same steps on other machines, as parts of each machine's own peak and as speed-ups. docs/data/
published.csv is what the documents say."""

import csv
import functools
import pathlib

from .. import cells
from ..pairs import key_of
from ..parts import Cell, Table
from ..text import elements, missing, number

PLACE = "docs/data/published.csv"
FILE = pathlib.Path(__file__).parents[3] / PLACE
ELEMENT_BYTES = 4  # of all of these
AXES = {"block": "block_size", "items": "items_per_thread", "grid": None}  # of ours, and the column that says the same there
IN_DOCS = ["there", "block", "C", "time there", "GB/s there", "% of their peak", "rung", "n here", "tuning here", "GB/s here",
           "moved GB/s here", "% of our peak"]
STEPS = ["there", "block", "step there", "step here", "total there", "total here"]
TEXTS = {"there", "rung", "n here", "tuning here"}
MARKS = {"†": "measured here at another number of elements than there, or theirs is given in words alone.",
         "‡": "not measured here with the block, grid or elements per thread of there.", "*": "two separate processes here.",
         "°": "from the published time, each element counted once."}


def lines():
    """The published lines that name a rung; `place` is where each stands. Empty where there is no such file."""
    return read(FILE)


@functools.cache
def read(file):
    if not file.is_file():
        return []
    with open(file, newline="", encoding="utf-8") as text:
        reader = csv.DictReader(text)
        found = [line | {"place": f"{PLACE}:{reader.line_num}"} for line in reader]
    return [line for line in found if line["rung"]]


def of_source(source):
    return [line for line in lines() if line["source"] == source]


def bandwidth(line):
    """GB/s as published, or from the published time, each element counted once; and whether it is the latter."""
    if line["bandwidth_gbs"]:
        return float(line["bandwidth_gbs"]), False
    if line["time_ms"] and line["elements"]:
        return ELEMENT_BYTES * int(line["elements"]) / float(line["time_ms"]) / 1e6, True
    return None, False


def part_of(line):
    """Of the theoretical peak there; nothing where that is not known."""
    if line["percent_of_peak"]:
        return float(line["percent_of_peak"]) / 100
    rate, peak = bandwidth(line)[0], line["theoretical_peak_gbs"]
    return rate / float(peak) if rate and peak else None


def part_text(line):
    """In percent, with no more digits than the document has."""
    part = part_of(line)
    return "unknown" if part is None else f"{100 * part:.3g}"


def asked(line):
    """{axis: number} that a measurement here should have; what the document leaves open, by the line's last column."""
    chosen = dict(word.split("=", 1) for word in line["ours"].split() if "=" in word)
    wanted = {axis: (line[column] if column else "") or chosen.get(axis) for axis, column in AXES.items()}
    wanted["n"] = line["elements"] or chosen.get("n")
    return {axis: int(number) for axis, number in wanted.items() if number} | {"scope": chosen.get("scope", "kernel")}


def unlike(row, wanted):
    """On how many axes a measurement differs from what is wanted."""
    return sum(axis in wanted and not missing(row.get(axis)) and row[axis] != wanted[axis] for axis in AXES)


def before(mine, line):
    """The lines of a document before one, those of its own rung left out: the last of them is what its step is against."""
    return [one for one in mine[:mine.index(line)] if one["rung"] != line["rung"]]


def reference(mine, line, column):
    """The lines that a step, or a total, is against."""
    earlier = before(mine, line)
    rung = earlier and (earlier[-1] if column == "step_speedup" else mine[0])["rung"]
    against = [one for one in earlier if one["rung"] == rung]
    return [one for one in against if one["block_size"] == line["block_size"]] or against


def speedup(mine, here, line, column):
    """Ours, where the document gives one and both sides were measured on one problem."""
    row = here[line["place"]]
    found = [here[one["place"]] for one in reference(mine, line, column) if one["place"] in here] if line[column] else []
    found = [one for one in found if key_of(one) == key_of(row)]
    if not found:
        return Cell("")
    slow = min(found, key=lambda one: one["time"])
    return cells.ratio(slow, row, "×")


def line_cells(mine, here, line, heads):
    """The cells of a line under these heads, theirs from the published data and ours from the records."""
    row, place = here[line["place"]], (line["place"],)
    rate, derived = bandwidth(line)
    other_n = not line["elements"] or int(line["elements"]) != row["n"]
    moved = row["moved_bytes"] / row["time"] / 1e9 if row["moved_bytes"] else None

    def there(column, show="{:g}".format):
        return Cell(show(float(line[column])), float(line[column]), place) if line[column] else Cell("")

    found = {
        "there": Cell(line["kernel_label_in_source"], line["kernel_label_in_source"], place),
        "time there": there("time_ms", "{:g} ms".format),
        "% of their peak": Cell(part_text(line), part_of(line), place), "% of our peak": cells.of_peak(row),
        "step there": there("step_speedup", "{:g}×".format), "step here": speedup(mine, here, line, "step_speedup"),
        "total there": there("cumulative_speedup", "{:g}×".format), "total here": speedup(mine, here, line, "cumulative_speedup"),
        "block": there("block_size"), "C": there("items_per_thread"),
        "GB/s there": Cell("" if rate is None else f"{rate:.4g}" + (" °" if derived else ""), rate, place),
        "rung": cells.named(row),
        "n here": Cell(elements(row["n"]) + (" †" if other_n else ""), int(row["n"]), cells.trace_of(row)),
        "tuning here": Cell(row["tuning"] + (" ‡" if unlike(row, asked(line)) else "")), "GB/s here": cells.gbs(row),
        "moved GB/s here": Cell(number(moved, row["uncertainty"]), moved, cells.trace_of(row))}
    return [found[head] for head in heads]


def table_of(mine, here, heads):
    """The lines of a document that have a measurement here; below it what the marks in its cells mean."""
    shown = [line_cells(mine, here, line, heads) for line in mine if line["place"] in here]
    ends = {cell.text.rpartition(" ")[2] for row in shown for cell in row}
    marks = [f"{mark} {meaning}" for mark, meaning in MARKS.items() if mark in ends]
    return Table("", "", heads, shown, " ".join(marks), sides="".join("l" if head in TEXTS else "r" for head in heads))
