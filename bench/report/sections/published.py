"""Measured beside published: the same steps on other machines, as parts of each machine's own peak and as speed-ups."""

import collections
import csv
import math
import pathlib

from ..comparable import same_problem
from ..drawing import GREY, INK, finish, legend_below, new, style_of
from ..parts import Cell, Section, Table, name_of
from ..text import digits, elements, factor, gbs, missing, percent, tuning
from ..view import native_of, trace_of
from .ladder import peak_cell

PLACE = "docs/data/published.csv"
FILE = pathlib.Path(__file__).parents[3] / PLACE
TYPES = {"int": "i32", "float": "f32", "": "f32"}  # a library's line names no type: 64 MB of 2^24 elements
NAMES = {"me964": "Harris, as ME964 tells it", "bu-cs599": "CS599, lecture 6", "blog-5070ti": "Reduction (Sum): part 2",
         "journal-a100": "an optimisation log", "csc367": "CSC367, lecture 20"}
AXES = {"block": "block_size", "items": "items_per_thread", "grid": None}  # of ours, and the column that says the same there
HEADS = ["there", "% of their peak", "% of our peak", "step there", "step here", "total there", "total here", "n there", "block", "C",
         "GB/s there", "rung", "n here", "tuning here", "GB/s here"]
NOTE = ("Machines differ, so times are not compared: only the part of each machine's own theoretical peak, and speed-ups. A step is "
        "against the rung before in the document, a total against its first, at the same block size where it has them at that, else at "
        "the best; ours likewise. Ours are cold.")
MARKS = {"†": "measured here at another number of elements than there, or theirs is given in words alone.",
         "‡": "not measured here with the block, grid or elements per thread of there.", "*": "two separate processes here."}


def lines():
    """The published lines that say what part was reached; `place` is where each stands. Empty where there is no such file."""
    if not FILE.is_file():
        return []
    with open(FILE, newline="", encoding="utf-8") as text:
        reader = csv.DictReader(text)
        found = [line | {"place": f"{PLACE}:{reader.line_num}"} for line in reader]
    return [line for line in found if line["rung"] and (line["bandwidth_gbs"] or line["percent_of_peak"])]


def part_of(line):
    """Of the theoretical peak there; nothing where that is not known."""
    if line["percent_of_peak"]:
        return float(line["percent_of_peak"]) / 100
    rate, peak = line["bandwidth_gbs"], line["theoretical_peak_gbs"]
    return float(rate) / float(peak) if rate and peak else None


def asked(line):
    """{axis: number} that a measurement here should have; what the document leaves open, by the line's last column."""
    chosen = dict(word.split("=", 1) for word in line["ours"].split() if "=" in word)
    wanted = {axis: (line[column] if column else "") or chosen.get(axis) for axis, column in AXES.items()}
    wanted["n"] = line["elements"] or chosen.get("n")
    return {axis: int(number) for axis, number in wanted.items() if number} | {"scope": chosen.get("scope", "kernel")}


def unlike(row, wanted):
    """On how many axes a measurement differs from what is wanted."""
    return sum(axis in wanted and not missing(row[axis]) and row[axis] != wanted[axis] for axis in AXES)


def candidates(rows, line):
    """The measurements nearest to a line: as many of its axes as can be, then the nearest number of elements, else the largest."""
    wanted = asked(line)

    def distance_of(row):
        return unlike(row, wanted), abs(math.log2(row["n"] / wanted["n"])) if "n" in wanted else -math.log2(row["n"])

    found = [(distance_of(row), row) for row in rows.get((line["rung"], TYPES.get(line["type"]), wanted["scope"]), ())]
    nearest = min((distance for distance, _ in found), default=None)
    return [row for distance, row in found if distance == nearest]


def counterparts(rows, mine):
    """{a line's place: its measurement here}, of the run that has most lines of the document."""
    near = {line["place"]: candidates(rows, line) for line in mine}
    runs = collections.Counter(run for found in near.values() for run in {row["run"] for row in found})
    return {place: min(found, key=lambda row: (-runs[row["run"]], row["run"], row["median"])) for place, found in near.items() if found}


def reference(mine, line, column):
    """The lines that a step, or a total, is against."""
    earlier = [one for one in mine[:mine.index(line)] if one["rung"] != line["rung"]]
    rung = earlier and (earlier[-1] if column == "step_speedup" else mine[0])["rung"]
    against = [one for one in earlier if one["rung"] == rung]
    return [one for one in against if one["block_size"] == line["block_size"]] or against


def speedup(mine, here, line, column):
    """Ours, where the document gives one and both sides were measured on one problem."""
    if not line[column]:
        return Cell("")
    row = here[line["place"]]
    found = [here[one["place"]] for one in reference(mine, line, column) if one["place"] in here]
    found = [one for one in found if same_problem(one, row)]
    if not found:
        return Cell("")
    slow = min(found, key=lambda one: one["median"])
    apart = slow["run"] != row["run"]
    return Cell(factor(slow["median"] / row["median"]) + (" *" if apart else ""), slow["median"] / row["median"], trace_of(slow, row),
                "separate" if apart else "")


def line_cells(mine, here, line):
    """The cells of a line, theirs from the published data and ours from the records."""
    row, place = here[line["place"]], (line["place"],)
    trace, part = trace_of(row), part_of(line)
    other_tuning = unlike(row, asked(line)) > 0
    other_n = not line["elements"] or int(line["elements"]) != row["n"]

    def number(column, show=lambda value: f"{value:g}"):
        return Cell(show(float(line[column])), float(line[column]), place) if line[column] else Cell("")

    return [Cell(line["kernel_label_in_source"], line["kernel_label_in_source"], place),
            Cell("unknown") if part is None else Cell(percent(part), part, place), peak_cell(row),
            number("step_speedup", lambda value: f"{value:g}×"), speedup(mine, here, line, "step_speedup"),
            number("cumulative_speedup", lambda value: f"{value:g}×"), speedup(mine, here, line, "cumulative_speedup"),
            number("elements", elements), number("block_size"), number("items_per_thread"), number("bandwidth_gbs", gbs),
            Cell(row["name"], row["name"], (row["where"],)), Cell(elements(row["n"]) + (" †" if other_n else ""), int(row["n"]), trace),
            Cell(tuning(row) + (" ‡" if other_tuning else "")), Cell(gbs(row["gbs"]), row["gbs"], trace)]


def title_of(source, mine):
    return f"{NAMES.get(source, source)}, on {mine[0]['device'] or 'a machine that is not named'}"


def table_of(source, mine, here, device, backend):
    shown = [line_cells(mine, here, line) for line in mine if line["place"] in here]
    marks = [f"{mark} {meaning}" for mark, meaning in MARKS.items() if any(cell.text.endswith(f" {mark}") for row in shown for cell in row)]
    return Table(name_of("published", source, device), f"{title_of(source, mine)}, beside {backend} on {device}", HEADS, shown,
                 " ".join([NOTE, *marks]))


def dumbbell(source, mine, here, device, backend):
    """The best of each rung there, the same measured here, and the best here of the rung's lines, as parts of each machine's
    peak; nothing where no peak is known."""
    known = [(line, here[line["place"]]) for line in mine if line["place"] in here and part_of(line) is not None]
    known = [(line, row) for line, row in known if 0 < row["of_peak"] <= 1]
    if not known:
        return None
    best, points = {line["rung"]: (line, row) for line, row in sorted(known, key=lambda pair: part_of(pair[0]))}, []
    for line, row in sorted(best.values(), key=lambda pair: (pair[1]["sort"] == "library", pair[1]["rung"])):
        top = max((one for other, one in known if other["rung"] == line["rung"] and one["n"] == row["n"]), key=lambda one: one["of_peak"])
        points.append((line, row, top, *(100 * part for part in (part_of(line), row["of_peak"], top["of_peak"]))))
    names = [row["name"].removeprefix("library_").replace("_", " ")
             + ("" if line["elements"] == str(row["n"]) else f", {elements(row['n'])}") for line, row, *_ in points]
    *_, theirs, ours, most = zip(*points)
    figure, axes = new(0.7 + 0.2 * len(points), gridspec_kw={"left": 0.34, "right": 0.98})
    (colour, mark), places = style_of(backend), range(len(points))
    axes.hlines(places, theirs, ours, color=GREY, linewidth=1.2)
    axes.plot(theirs, places, "o", markersize=5.5, markerfacecolor="none", markeredgecolor=INK,
              label=f"published, {mine[0]['device'] or 'machine not named'}: the best of the rung")
    axes.plot(ours, places, mark, markersize=5, color=colour, label=f"{backend} on {device}: the nearest to it")
    better = [(most[place], place) for place in places if most[place] > ours[place] + 1]
    if better:
        axes.plot(*zip(*better), "|", markersize=8, markeredgewidth=2, color=colour, label=f"{backend}: the best of the tunings there")
    axes.set(xlim=(-2, 102), ylim=(len(points) - 0.4, -0.6), xlabel="% of the machine's own theoretical peak")
    axes.set_yticks(places, names, fontsize=8)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    legend_below(figure, axes, columns=1)
    identifier, title = name_of("published-peak", source, device), f"{title_of(source, mine)}: % of its peak, beside {backend} on {device}"
    words = " ".join([f"{title}.", *(f"{name}: {digits(there, 3)} there, {digits(one, 3)} here."
                                     for name, there, one in zip(names, theirs, ours))])
    cells = [[Cell(row["name"], row["name"], (row["where"],)), Cell(elements(row["n"]), int(row["n"]), (row["where"],)), Cell(tuning(row)),
              *(Cell(digits(part, 3), part, trace) for part, trace in zip(parts, ((line["place"],), trace_of(row), trace_of(top))))]
             for line, row, top, *parts in points]
    return finish(figure, identifier, title, words, Table(
        identifier, title, ["rung", "n here", "tuning here", "% there", "% here", "best % here"], cells,
        "Of each rung the line with the best percentage there; the best here is of the same rung's lines.", folded=True))


def section(view):
    published = lines()
    tables, figures = [], []
    rows = view.right[view.right["sort"] != "variant"]
    right = rows[(rows["op"] == "sum") & (rows["cache"] == "cold") & (rows["data"] == "exact")]
    for device in view.devices:
        rows = right[right["device"] == device]
        backend = native_of(rows["backend"])
        if backend not in ("cuda", "hip"):
            continue
        by = {}
        for row in rows[rows["backend"] == backend].to_dict("records"):
            by.setdefault((row["slug"] or row["rung"], row["type"], row["scope"]), []).append(row)
        for source in dict.fromkeys(line["source"] for line in published):
            mine = [line for line in published if line["source"] == source]
            here = counterparts(by, mine)
            if here:
                tables.append(table_of(source, mine, here, device, backend))
                figures.append(dumbbell(source, mine, here, device, backend))
    if not tables:
        return None
    for table in tables[1:]:
        table.folded = True
    return Section("published", "Measured beside published",
                   "The documents that the ladder comes from, line by line beside the same step measured here. Their machines are others, "
                   "so what is compared is the part of each machine's own theoretical peak, and speed-ups.", tables,
                   [figure for figure in figures if figure])
