"""Measured beside published: the same steps on other machines, as parts of each machine's own peak and as speed-ups. docs/data/
published.csv is what the documents say."""

import collections
import csv
import functools
import math
import pathlib

from .. import cells
from ..drawing import GREY, INK, finish, legend_below, new, rungs_down, style_of
from ..pairs import same_problem
from ..parts import Cell, Table, name_of, section_of
from ..study import as_rows
from ..text import elements, missing, number
from ..view import native_of

PLACE = "docs/data/published.csv"
FILE = pathlib.Path(__file__).parents[3] / PLACE
TYPES = {"int": "i32", "float": "f32", "": "f32"}  # a library's line names no type: 64 MB of 2²⁴ elements
ELEMENT_BYTES = 4  # of all of these
DOCUMENTS = {"me964": ("harris", "Harris, as ME964 tells it"), "bu-cs599": ("bu", "CS599, lecture 6"),
             "blog-5070ti": ("blog", "Reduction (Sum): part 2"), "journal-a100": ("journal", "an optimisation log"),
             "csc367": ("csc", "CSC367, lecture 20")}
AXES = {"block": "block_size", "items": "items_per_thread", "grid": None}  # of ours, and the column that says the same there
HEADS = ["there", "% of their peak", "% of our peak", "step there", "step here", "total there", "total here", "n there", "block",
         "C", "GB/s there", "rung", "n here", "tuning here", "GB/s here"]
IN_DOCS = ["there", "block", "C", "time there", "GB/s there", "% of their peak", "rung", "n here", "tuning here", "GB/s here",
           "moved GB/s here", "% of our peak"]
STEPS = ["there", "block", "step there", "step here", "total there", "total here"]
TEXTS = {"there", "rung", "n here", "tuning here"}
NOTE = ("Machines differ, so times are not compared: only the part of each machine's own theoretical peak, and speed-ups. A "
        "step is against the rung before in the document, a total against its first, at the same block size where it has them "
        "at that, else at the best; ours likewise. Ours are cold.")
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


def candidates(rows, line):
    """The measurements nearest to a line: with as many of its axes as can be, then at the nearest size, else the largest."""
    wanted = asked(line)

    def distance_of(row):
        return unlike(row, wanted), abs(math.log2(row["n"] / wanted["n"])) if "n" in wanted else -math.log2(row["n"])

    same = line["rung"], TYPES.get(line["type"]), wanted["scope"]
    found = [(distance_of(row), row) for row in rows if (row["slug"] or row["rung"], row["type"], row["scope"]) == same]
    nearest = min((distance for distance, _ in found), default=None)
    return [row for distance, row in found if distance == nearest]


def counterparts(rows, mine):
    """{a line's place: its measurement here}, of the run that has most lines of the document."""
    near = {line["place"]: candidates(rows, line) for line in mine}
    runs = collections.Counter(run for found in near.values() for run in {row["run"] for row in found})
    return {place: min(found, key=lambda row: (-runs[row["run"]], row["run"], row["time"]))
            for place, found in near.items() if found}


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
    found = [one for one in found if same_problem(one, row)]
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
        "n there": there("elements", elements), "block": there("block_size"), "C": there("items_per_thread"),
        "GB/s there": Cell("" if rate is None else f"{rate:.4g}" + (" °" if derived else ""), rate, place),
        "rung": cells.named(row),
        "n here": Cell(elements(row["n"]) + (" †" if other_n else ""), int(row["n"]), cells.trace_of(row)),
        "tuning here": Cell(row["tuning"] + (" ‡" if unlike(row, asked(line)) else "")), "GB/s here": cells.gbs(row),
        "moved GB/s here": Cell(number(moved, row["uncertainty"]), moved, cells.trace_of(row))}
    return [found[head] for head in heads]


def title_of(source, mine):
    return f"{DOCUMENTS.get(source, ('', source))[1]}, on {mine[0]['device'] or 'a machine that is not named'}"


def table_of(identifier, title, mine, here, heads, note="", folded=False):
    """The lines of a document that have a measurement here; below it what the marks in its cells mean."""
    shown = [line_cells(mine, here, line, heads) for line in mine if line["place"] in here]
    ends = {cell.text.rpartition(" ")[2] for row in shown for cell in row}
    marks = [f"{mark} {meaning}" for mark, meaning in MARKS.items() if mark in ends]
    return Table(identifier, title, heads, shown, " ".join([note, *marks]).strip(), folded,
                 sides="".join("l" if head in TEXTS else "r" for head in heads))


def dumbbell(source, mine, here, device, backend):
    """The best of each rung there, the same measured here, and the best here of the rung's lines, as parts of each machine's
    peak; nothing where no peak is known."""
    known = [(line, here[line["place"]]) for line in mine if line["place"] in here and part_of(line) is not None]
    known = sorted(((line, row) for line, row in known if 0 < row["of_peak"] <= 1), key=lambda pair: part_of(pair[0]))
    if not known:
        return None
    best = sorted({line["rung"]: (line, row) for line, row in known}.values(),
                  key=lambda pair: (pair[1]["sort"] == "library", pair[1]["rung"]))
    points = [(line, row, max((one for other, one in known if other["rung"] == line["rung"] and one["n"] == row["n"]),
                              key=lambda one: one["of_peak"])) for line, row in best]
    names = [row["name"].removeprefix("library_") + ("" if line["elements"] == str(row["n"]) else f", {elements(row['n'])}")
             for line, row, _ in points]
    theirs, ours, most = ([100 * part for part in parts] for parts in zip(*(
        (part_of(line), row["of_peak"], top["of_peak"]) for line, row, top in points), strict=True))
    figure, axes = new(0.7 + 0.2 * len(points), grid="x", room=(0.34, 0.98), xlim=(-2, 102),
                       xlabel="% of the machine's own theoretical peak")
    style, places = style_of(backend), range(len(points))
    axes.hlines(places, theirs, ours, color=GREY, linewidth=1.2)
    axes.plot(theirs, places, "o", markersize=5.5, markerfacecolor="none", markeredgecolor=INK,
              label=f"published, {mine[0]['device'] or 'machine not named'}: the best of the rung")
    axes.plot(ours, places, linestyle="", markersize=5, label=f"{backend} on {device}: the nearest to it", **style)
    better = [(most[place], place) for place in places if most[place] > ours[place] + 1]
    if better:
        axes.plot(*zip(*better, strict=True), "|", markersize=8, markeredgewidth=2, color=style["color"],
                  label=f"{backend}: the best of the tunings there")
    rungs_down(axes, names)
    legend_below(figure, axes, columns=1)
    title = f"{title_of(source, mine)}: % of its peak, beside {backend} on {device}"
    table = [[cells.named(row), Cell(elements(row["n"]), int(row["n"]), (row["where"],)), Cell(row["tuning"]),
              Cell(part_text(line), part_of(line), (line["place"],)),
              cells.of_peak(row), cells.of_peak(top)] for line, row, top in points]
    words = [f"{name.replace('_', ' ')}: {line[3].text} there, {line[4].text} here."
             for name, line in zip(names, table, strict=True)]
    heads = ["rung", "n here", "tuning here", "% there", "% here", "best % here"]
    note = "Of each rung the line with the best percentage there; the best here is of the same rung's lines."
    return finish(figure, Table(name_of("published-peak", source, device), title, heads, table, note), words)


def section(view):
    published = [line for line in lines() if line["bandwidth_gbs"] or line["percent_of_peak"]]
    parts = []
    right = view.right[view.right["sort"] != "variant"].query("op == 'sum' and cache == 'cold' and data == 'exact'")
    for device in view.devices:
        rows = right[right["device"] == device]
        backend = native_of(rows["backend"])
        rows = as_rows(rows[rows["backend"] == backend]) if backend in ("cuda", "hip") else []
        for source in dict.fromkeys(line["source"] for line in published):
            mine = [line for line in published if line["source"] == source]
            here = counterparts(rows, mine)
            if here:
                title = f"{title_of(source, mine)}, beside {backend} on {device}"
                parts += [table_of(name_of("published", source, device), title, mine, here, HEADS, NOTE, folded=len(parts) > 0),
                          dumbbell(source, mine, here, device, backend)]
    return section_of("published", "Measured beside published",
                      "The documents that the ladder comes from, line by line beside the same step measured here. Their machines "
                      "are others, so what is compared is the part of each machine's own theoretical peak, and speed-ups.", parts)
