#!/usr/bin/env python3
"""Draws the work of a rung's threads: elements loaded in each step, additions, and values passed on.

docs/data/patterns.csv is traced by tests/hip/waves/patterns.cpp in the rungs' own kernels, run on the CPU; this tool knows no
rung. tools/docs.py requests the drawings (`<!-- figure: pattern-r04 data=docs/data/patterns.csv -->`).
"""

import collections
import csv
import dataclasses
import functools
import itertools

import shared  # noqa: F401  (it makes the report's modules known)
from report.charts import COLOURS, GREY, escaped

WIDTH, LEFT, RIGHT = 480, 58, 340  # total width; left edge of drawings; left edge of a tree's notes
CELL, LEVEL, COLUMN, RADIUS = 17, 34, 34, 8.5
LEAST = 8  # minimum width of a cell with a number

Load = collections.namedtuple("Load", "block thread first elements value")


@dataclasses.dataclass
class Add:
    """An addition of two values: thread, turn and operands. Turn: barriers of the block and of the warp before it, and its
    index among the thread's additions since then. Operands, without identities: (value, place), "s3" in shared memory, "p3" in
    partials, "" in a register."""

    thread: int
    turn: tuple
    value: int
    operands: list
    used: bool = False


class Trace:
    """Trace of one rung, from its lines in the CSV file."""

    def __init__(self, rung, lines):
        by_event = collections.defaultdict(list)
        for line in lines:
            by_event[line["event"]].append(
                line | {name: int(line[name] or 0) for name in ("block", "thread", "barriers", "syncs", "value")})
        launch, = by_event["launch"]
        self.rung, self.blocks, self.threads, self.n = rung, launch["block"], launch["thread"], launch["value"]
        self.lanes = int(launch["at"])
        self.ends = [int(end) for end in launch["left"].split("+") if end]  # ends of rows or segments, for batches
        self.loads = [Load(line["block"], line["thread"], *map(int, line["at"].split("+")), line["value"])
                      for line in by_event["load"]]
        self.made_by = {line["value"]: (line["block"], line["thread"]) for event in ("load", "own", "add")
                        for line in by_event[event] if line["value"]}  # "own": the sums of a thread's own registers
        self.partials = {line["value"]: line["block"] for line in by_event["partial"]}
        self.atomics = [line["value"] for line in by_event["atomic"]]
        self.results = [line["value"] for line in by_event["result"]]
        adds, counts = collections.defaultdict(list), collections.Counter()
        for line in by_event["add"]:
            turn = line["barriers"], line["syncs"]
            counts[line["block"], line["thread"], turn] += 1
            sides = (line[side].partition("@") for side in ("left", "right"))
            operands = [(int(value), place) for value, _, place in sides if value]
            adds[line["block"]].append(
                Add(line["thread"], (*turn, counts[line["block"], line["thread"], turn]), line["value"], operands))
        mark_used({*self.partials, *self.results, *self.atomics}, [add for some in adds.values() for add in some])
        self.block = max(range(self.blocks), key=lambda block: len(adds[block]))  # the first with the most additions
        self.adds = adds[self.block]
        self.columns = {value: at[1] for value, at in self.made_by.items()}  # column of a value: its thread's
        for add in self.adds:  # or that of its word in shared memory
            self.columns.update({value: int(place[1:]) for value, place in add.operands if place.startswith("s")})

    @property
    def rows(self):
        """Additions ordered by turn, grouped by equal turns."""
        return [[add for add in self.adds if add.turn == turn] for turn in sorted({add.turn for add in self.adds})]

    @property
    def steps(self):
        """(name, loads) of each step: the loads of equal width that are a thread's first, second and so on. Elements that
        vectors leave over at both ends form one step."""
        vectors = any(load.elements > 1 for load in self.loads)
        counts, found = collections.Counter(), collections.defaultdict(list)
        for load in self.loads:
            key = load.block, load.thread, load.elements
            counts[key] += 1
            found[load.elements, 0 if vectors and load.elements == 1 else counts[key]].append(load)
        number, count = itertools.count(1), len(found) - ((1, 0) in found)
        return [("ends" if key == (1, 0) else f"load {next(number)}" if count > 1 else "load", found[key])
                for key in sorted(found)]


def mark_used(values, adds):
    """Marks the additions that contribute to one of these values."""
    by_value, wanted = {add.value: add for add in adds}, list(values)
    while wanted:
        add = by_value.get(wanted.pop())
        if add and add.operands and not add.used:
            add.used = True
            wanted += [value for value, _ in add.operands]


@functools.cache
def traces(text):
    """{rung: its trace} from the text of a CSV file."""
    by_rung = collections.defaultdict(list)
    for line in csv.DictReader(text.splitlines()):
        by_rung[line["rung"]].append(line)
    return {rung: Trace(rung, lines) for rung, lines in by_rung.items()}


class Drawing:
    """Elements of an SVG, from top to bottom."""

    def __init__(self):
        self.parts, self.y = [], 4.0

    def text(self, x, y, words, size=12, anchor="middle", colour="currentColor"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">'
                          f'{words}</text>')

    def line(self, x1, y1, x2, y2, colour="currentColor", more=' stroke-opacity="0.7"'):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{more}/>')

    def box(self, x, y, width, height, colour, filled):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2" stroke="{colour}" '
                          f'fill="{colour if filled else "none"}" fill-opacity="0.3"/>')

    def circle(self, x, y, colour, words, faint):
        shade = ' opacity="0.4"' if faint else ""
        self.parts.append(f'<g{shade}><circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" stroke="{colour}" fill="{colour}" '
                          f'fill-opacity="0.3"/><text x="{x:.1f}" y="{y + 4:.1f}" font-size="11.5" text-anchor="middle" '
                          f'fill="currentColor">{words}</text></g>')

    def svg(self, name, title):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y + 4:.0f}" role="img" '
                f'aria-labelledby="{name}-text" font-family="sans-serif"><title id="{name}-text">{escaped(title)}</title>'
                + "\n".join(self.parts) + "</svg>")


def colour_of(trace, thread):
    return COLOURS[thread // trace.lanes % len(COLOURS)]


def draw_loads(trace, drawing):
    """Draws the array once per step, with the thread that loads each part. Returns {value: x of its element}."""
    wide, places = (WIDTH - LEFT - 2) / trace.n, {}
    for name, step in trace.steps:
        drawing.text(LEFT - 6, drawing.y + 12, name, anchor="end")
        drawing.parts.append(f'<rect x="{LEFT}" y="{drawing.y:.1f}" width="{wide * trace.n:.1f}" height="{CELL}" fill="{GREY}" '
                             'fill-opacity="0.15"/>')
        for load in step:
            x, width = LEFT + wide * load.first, wide * load.elements
            drawing.box(x + 0.5, drawing.y + 0.5, width - 1, CELL - 1, colour_of(trace, load.thread), load.block == 0)
            if width >= LEAST:
                drawing.text(x + width / 2, drawing.y + 12.5, load.thread, 12 if width > 9 * len(str(load.thread)) else 9)
            places[load.value] = x + width / 2
        for end in trace.ends[:-1]:
            drawing.line(LEFT + wide * end, drawing.y - 2, LEFT + wide * end, drawing.y + CELL + 2, more=' stroke-width="2"')
        drawing.y += CELL + 4
    return places


def draw_facts(trace, drawing):
    """Prints the number of loading threads and the most separate pieces of memory that one load of a warp reads."""
    busy = {(load.block, load.thread) for load in trace.loads}
    most = 0
    for _, step in trace.steps:
        warps = collections.defaultdict(set)
        for load in step:
            warps[load.block, load.thread // trace.lanes].update(range(load.first, load.first + load.elements))
        most = max(most, *(sum(one - 1 not in found for one in found) for found in warps.values()))
    drawing.y += 12
    drawing.text(LEFT, drawing.y, f"{len(busy)} of {trace.blocks * trace.threads} threads load; one load of a warp reads "
                 f"{counted(most, 'piece')} of memory", 11, "start")


def draw_tree(trace, drawing):
    """Draws the additions in rows. Returns {value: (x, y)}."""
    def x_of(value, add):
        return LEFT + COLUMN * (trace.columns.get(value, add.thread) + 0.5)

    drawing.y += 8
    y, before = drawing.y + RADIUS, (0, 0)
    sums, nodes = {add.value for add in trace.adds}, []
    where = {value: (x_of(value, add), y) for add in trace.adds if add.used for value, _ in add.operands
             if value and value not in sums and trace.made_by.get(value, (None,))[0] == trace.block}
    for value, (x, _) in where.items():
        nodes.append((x, y, trace.made_by[value][1], False))
    if where:
        in_shared = any(place.startswith("s") for add in trace.adds for _, place in add.operands)
        drawing.text(LEFT - 6, y + 4, "shared" if in_shared else "registers", anchor="end")
    for row in trace.rows:
        if row[0].turn[:2] != before:  # a barrier of the block, or of a warp
            block, before = row[0].turn[0] > before[0], row[0].turn[:2]
            drawing.text(LEFT - 6, y + LEVEL / 2 + 3, "barrier" if block else "warp", 10.5, "end", GREY)
            drawing.line(LEFT, y + LEVEL / 2, LEFT + 8 * COLUMN, y + LEVEL / 2, GREY, "" if block else ' stroke-dasharray="3 3"')
        y += LEVEL
        for add in row:
            x = x_of(add.value, add)
            nodes.append((x, y, add.thread, not add.used))
            where[add.value] = x, y
            for value, place in add.operands if add.used else ():
                if value in where and not place.startswith("p"):
                    drawing.line(where[value][0], where[value][1] + RADIUS, x, y - RADIUS)
                elif value:  # from another block, or via the partials
                    drawing.text(x + 6, y - RADIUS, place or f"b{trace.made_by[value][0]}", 10.5, "start")
                    drawing.line(x, y - LEVEL / 2 + 1, x, y - RADIUS)
        busy = {add.thread for add in row}
        warps = {thread // trace.lanes for thread in busy}
        drawing.text(RIGHT, y + 4, counted(len(busy), "thread") + " of " + counted(len(warps), "warp"), anchor="start")
    for x, y_of_node, thread, faint in nodes:
        drawing.circle(x, y_of_node, colour_of(trace, thread), thread, faint)
    drawing.y = y + RADIUS
    return where


def counted(number, what):
    return f"{number} {what}{'s' if number != 1 else ''}"


def draw_end(trace, drawing, where):
    """Draws where the block's sum, or the threads', ends up."""
    atomic = [value for value in trace.atomics if value in where]
    partial = [value for value in trace.partials if value in where]
    ends = trace.results or atomic or partial
    said = ("result" if trace.results else f"result, by {counted(len(atomic), 'atomic update')}" if atomic else
            f"partial {trace.partials[partial[0]]}")
    top, wide = drawing.y + 16, max(76, 7 * len(said))
    middle = min(where[value][0] for value in ends) - 14 + wide / 2
    if len(ends) > 1:
        middle = max(middle, sum(where[value][0] for value in ends) / len(ends))
    for value in ends:
        x, y = where[value]
        drawing.line(x, y + RADIUS, x if len(ends) == 1 else middle, top)
    drawing.box(middle - wide / 2, top, wide, CELL, GREY, True)
    drawing.text(middle, top + 12.5, said)
    drawing.y = top + CELL


def drawing_of(path, rung):
    """(title, SVG) of a rung's drawing; the trace in `path` must contain the rung."""
    trace, drawing = traces(path.read_text())[rung], Drawing()
    title = (f"{rung} as traced: {counted(trace.blocks, 'block')} of {trace.threads} threads in warps of {trace.lanes}, "
             f"n = {trace.n}")
    where = {value: (x, drawing.y) for value, x in draw_loads(trace, drawing).items()}
    if trace.ends:
        draw_facts(trace, drawing)
        return title + "; bars: ends of rows or segments", drawing.svg(f"pattern-{rung}", title)
    if trace.adds:
        where = draw_tree(trace, drawing)
    else:  # directly from the elements
        where = {value: (x, drawing.y - 4 - RADIUS) for value, (x, _) in where.items()}
    draw_end(trace, drawing, where)
    return title, drawing.svg(f"pattern-{rung}", title)
