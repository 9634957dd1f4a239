#!/usr/bin/env python3
"""Draws what the threads of a rung do: which elements they load in which step, what they add to what, what they hand over.

docs/data/patterns.csv is what tests/hip/waves/patterns.cpp has traced in the rungs' own kernels, run on the CPU; nothing here
knows a rung. tools/docs.py asks for the drawings (`<!-- figure: pattern-r04 data=docs/data/patterns.csv -->`).
"""

import csv
import dataclasses
import functools

import shared  # noqa: F401  (it makes the report's modules known)
from report.drawing import COLOURS, GREY, escaped
from report.text import listed

WIDTH, LEFT, RIGHT = 480, 58, 340  # of all; where drawings begin; where a tree's notes begin
CELL, LEVEL, COLUMN, RADIUS = 17, 34, 34, 8.5
LEAST = 8  # as narrow as a cell with a number may be


@dataclasses.dataclass
class Add:
    """An addition between threads: who, behind how many barriers, of which values from where (identities left out), and whether
    its sum is used."""

    thread: int
    turn: tuple  # barriers of the block and of the warp before it, and how many other additions of the thread since
    value: int
    operands: list  # of (value, place): "s3" in shared memory, "p3" among the partials, "" in a register
    used: bool = False


class Trace:
    """What one rung does."""

    def __init__(self, rung, lines):
        launch = next(line for line in lines if line["event"] == "launch")
        self.rung, self.blocks, self.threads, self.n = rung, int(launch["block"]), int(launch["thread"]), int(launch["value"])
        self.lanes = int(launch["at"])
        self.loads = [(int(line["block"]), int(line["thread"]), *map(int, line["at"].split("+")), int(line["value"]))
                      for line in lines if line["event"] == "load"]  # (block, thread, first element, elements, value)
        self.made_by = {int(line["value"]): (int(line["block"]), int(line["thread"])) for line in lines
                        if line["event"] in ("load", "own", "add") and line["value"] != "0"}
        self.partials = {int(line["value"]): int(line["block"]) for line in lines if line["event"] == "partial"}
        self.atomics = [(int(line["block"]), int(line["value"])) for line in lines if line["event"] == "atomic"]
        self.results = [int(line["value"]) for line in lines if line["event"] == "result"]
        adds = [(int(line["block"]), self.addition(line)) for line in lines if line["event"] == "add"]
        # "own" are the sums of a thread's own registers.
        use_back_from({*self.partials, *self.results, *(value for _, value in self.atomics)}, [add for _, add in adds])
        by_block = {block: [add for at, add in adds if at == block] for block in range(self.blocks)}
        self.block = max(by_block, key=lambda block: len(by_block[block]))  # the first that does the most
        self.adds = in_turns(by_block[self.block])

    @staticmethod
    def addition(line):
        operands = [(int(value), place) for value, _, place in (line[side].partition("@") for side in ("left", "right")) if value]
        return Add(int(line["thread"]), (int(line["barriers"]), int(line["syncs"])), int(line["value"]), operands)

    @functools.cached_property
    def rows(self):
        """The additions in the order of their turns, those of one turn together."""
        return [[add for add in self.adds if add.turn == turn] for turn in sorted({add.turn for add in self.adds})]

    @functools.cached_property
    def columns(self):
        """{value: where it is drawn}: over the word of shared memory in which it is found, else over the thread that made it."""
        found = {value: at[1] for value, at in self.made_by.items()}
        for add in self.adds:
            found.update({value: int(place[1:]) for value, place in add.operands if place.startswith("s")})
        return found

    @functools.cached_property
    def steps(self):
        """The loads in steps: those of one width that are a thread's first, its second and so on, together."""
        counts, found = {}, {}
        for load in self.loads:
            block, thread, _, width, _ = load
            counts[block, thread, width] = counts.get((block, thread, width), 0) + 1
            found.setdefault((width, counts[block, thread, width] if width > 1 or not self.has_vectors else 0), []).append(load)
        return [found[key] for key in sorted(found)]

    def named_steps(self):
        """(name, its loads): what vectors leave over at both ends, then one load after another."""
        ends = ["ends"] if self.has_vectors and self.steps[0][0][3] == 1 else []
        count = len(self.steps) - len(ends)
        return zip([*ends, *(f"load {number}" if count > 1 else "load" for number in range(1, count + 1))], self.steps)

    @property
    def has_vectors(self):
        return any(load[3] > 1 for load in self.loads)

    def warps(self, threads):
        return {thread // self.lanes for thread in threads}


def use_back_from(values, adds):
    """Marks the additions whose sums come to be in one of these values."""
    by_value, wanted = {add.value: add for add in adds}, list(values)
    while wanted:
        add = by_value.get(wanted.pop())
        if add and add.operands and not add.used:
            add.used = True
            wanted += [value for value, _ in add.operands]


def in_turns(adds):
    """With the place of an addition among those of its thread between two meetings."""
    counts = {}
    for add in adds:
        key = add.thread, add.turn
        counts[key] = counts.get(key, 0) + 1
        add.turn = (*add.turn, counts[key])
    return adds


@functools.cache
def traces(text):
    """{rung: its trace} of the text of a CSV file."""
    by_rung = {}
    for line in csv.DictReader(text.splitlines()):
        by_rung.setdefault(line["rung"], []).append(line)
    return {rung: Trace(rung, lines) for rung, lines in by_rung.items()}


class Drawing:
    """Parts of an SVG, from the top down."""

    def __init__(self):
        self.parts, self.y = [], 4.0

    def text(self, x, y, words, size=12, anchor="middle", colour="currentColor"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">'
                          f'{words}</text>')

    def line(self, x1, y1, x2, y2, colour="currentColor", more=""):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{more}/>')

    def box(self, x, y, width, height, colour, filled):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2" stroke="{colour}" '
                          f'fill="{colour if filled else "none"}" fill-opacity="0.3"/>')

    def circle(self, x, y, colour, words, faint):
        shade = ' opacity="0.4"' if faint else ""
        self.parts.append(f'<g{shade}><circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" stroke="{colour}" fill="{colour}" '
                          f'fill-opacity="0.3"/><text x="{x:.1f}" y="{y + 4:.1f}" font-size="11.5" text-anchor="middle" '
                          f'fill="currentColor">{words}</text></g>')

    def svg(self, name, words):
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.y + 4:.0f}" role="img" '
                f'aria-labelledby="{name}-text" font-family="sans-serif"><title id="{name}-text">{escaped(words)}</title>'
                + "\n".join(self.parts) + "</svg>")


def colour_of(trace, thread):
    return COLOURS[thread // trace.lanes % len(COLOURS)]


def draw_loads(trace, drawing):
    """The array, once for each step, and on it which thread loads what. Gives where each value's element is."""
    wide, places = (WIDTH - LEFT - 2) / trace.n, {}
    for name, step in trace.named_steps():
        drawing.text(LEFT - 6, drawing.y + 12, name, 12, "end")
        drawing.parts.append(f'<rect x="{LEFT}" y="{drawing.y:.1f}" width="{wide * trace.n:.1f}" height="{CELL}" fill="{GREY}" '
                             'fill-opacity="0.15"/>')
        for block, thread, first, elements, value in step:
            x = LEFT + wide * first
            drawing.box(x + 0.5, drawing.y + 0.5, wide * elements - 1, CELL - 1, colour_of(trace, thread), block == 0)
            if wide * elements >= LEAST:
                drawing.text(x + wide * elements / 2, drawing.y + 12.5, thread, 12 if wide * elements > 9 else 9)
            places[value] = x + wide * elements / 2
        drawing.y += CELL + 4
    return places


def draw_meeting(drawing, y, before, after):
    """The line between two rows that a barrier parts, below the row at this height."""
    if after[:2] == before[:2]:
        return
    block = after[0] > before[0]
    drawing.text(LEFT - 6, y + LEVEL / 2 + 3, "barrier" if block else "warp", 10.5, "end", GREY)
    drawing.line(LEFT, y + LEVEL / 2, LEFT + 8 * COLUMN, y + LEVEL / 2, GREY, "" if block else ' stroke-dasharray="3 3"')


def draw_tree(trace, drawing):
    """The additions, row by row. Gives where each value is drawn."""
    def x_of(value, add):
        return LEFT + COLUMN * (trace.columns.get(value, add.thread) + 0.5)

    sums = {add.value for add in trace.adds}
    leaves = {value: x_of(value, add) for add in trace.adds if add.used for value, place in add.operands
              if value not in sums and value and trace.made_by.get(value, (None,))[0] == trace.block}
    drawing.y += 8
    where, y = {}, drawing.y + RADIUS
    shared_words = any(place.startswith("s") for add in trace.adds for _, place in add.operands)
    if leaves:
        drawing.text(LEFT - 6, y + 4, "shared" if shared_words else "registers", 12, "end")
    for value, x in leaves.items():
        where[value] = x, y
    nodes, lines, before = [], [], (0, 0)
    for row in trace.rows:
        draw_meeting(drawing, y, before, row[0].turn)
        before, y = row[0].turn, y + LEVEL
        drawing.y = y - RADIUS
        for add in row:
            at = x_of(add.value, add), y
            nodes.append((*at, add.thread, not add.used))
            where[add.value] = at
            for value, place in add.operands if add.used else ():
                if value in where and not place.startswith("p"):
                    lines.append((where[value][0], where[value][1] + RADIUS, at[0], y - RADIUS))
                elif value:  # from another block, or by way of the partials
                    name = place or f"b{trace.made_by[value][0]}"
                    drawing.text(at[0] + 6, y - RADIUS, name, 10.5, "start")
                    lines.append((at[0], y - LEVEL / 2 + 1, at[0], y - RADIUS))
        busy = {add.thread for add in row}
        drawing.text(RIGHT, y + 4, counted(len(busy), "thread") + " of " + counted(len(trace.warps(busy)), "warp"), 12, "start")
    for line in lines:
        drawing.line(*line, more=' stroke-opacity="0.7"')
    for value, (x, y) in ((value, where[value]) for value in leaves):
        thread = trace.made_by[value][1]
        drawing.circle(x, y, colour_of(trace, thread), thread, False)
    for x, y, thread, faint in nodes:
        drawing.circle(x, y, colour_of(trace, thread), thread, faint)
    drawing.y += 2 * RADIUS
    return where


def counted(number, what):
    return f"{number} {what}{'s' if number != 1 else ''}"


def draw_end(trace, drawing, where):
    """What becomes of the block's sum, or of the threads'."""
    atomic = [value for block, value in trace.atomics if value in where]
    partial = [value for value in trace.partials if value in where and not trace.results]
    ends = trace.results or atomic or partial
    said = ("result" if trace.results else f"result, by {counted(len(atomic), 'atomic update')}" if atomic else
            f"partial {trace.partials[partial[0]]}")
    top = drawing.y + 16
    left, wide = min(where[value][0] for value in ends) - 14, max(76, 7 * len(said))
    middle = max(left + wide / 2, sum(where[value][0] for value in ends) / len(ends)) if len(ends) > 1 else left + wide / 2
    for value in ends:
        x, y = where[value]
        drawing.line(x, y + RADIUS, x if len(ends) == 1 else middle, top, more=' stroke-opacity="0.7"')
    drawing.box(middle - wide / 2, top, wide, CELL, GREY, True)
    drawing.text(middle, top + 12.5, said)
    drawing.y = top + CELL


def loads_in_words(loads):
    """Of (thread, first element, elements)."""
    def of(first, elements):
        return f"{first}" if elements == 1 else f"{first} to {first + elements - 1}"

    firsts = [first for _, first, _ in loads]
    steps = {later - first for first, later in zip(firsts, firsts[1:])}
    if len(loads) > 2 and len(steps) == 1 and [thread for thread, _, _ in loads] == list(range(len(loads))):
        some = ", ".join(of(*load[1:]) for load in loads[:2])
        return f"threads 0 to {len(loads) - 1} elements {some} and so on, up to {of(*loads[-1][1:])}"
    return "; ".join(f"thread {thread} element{'s' * (elements > 1)} {of(first, elements)}" for thread, first, elements in loads)


def words_of(trace):
    """What the drawing shows, for who does not see it."""
    said = [f"{trace.rung}: {counted(trace.blocks, 'block')} of {trace.threads} threads in warps of {trace.lanes}, "
            f"{trace.n} elements."]
    for name, step in trace.named_steps():
        own = sorted((thread, first, elements) for block, thread, first, elements, _ in step if block == 0)
        said.append(f"{name.capitalize()}, block 0: {loads_in_words(own)}.")
    for number, row in enumerate(trace.rows, 1):
        parts = []
        for add in sorted((one for one in row if one.used), key=lambda one: one.thread):
            words = [place for _, place in add.operands if place]
            others = [(f"thread {thread}" if block == trace.block else f"block {block}") + "'s sum"
                      for value, place in add.operands if not place
                      for block, thread in [trace.made_by[value]] if (block, thread) != (trace.block, add.thread)]
            if words or others:  # else an identity
                parts.append(f"thread {add.thread} adds {listed([*words, *others])}")
        if parts:
            said.append(f"Addition {number}: {'; '.join(parts)}.")
    return " ".join(said)


def title_of(trace):
    return (f"{trace.rung} as traced: {counted(trace.blocks, 'block')} of {trace.threads} threads in warps of {trace.lanes}, "
            f"n = {trace.n}")


def drawing_of(path, rung):
    """(title, words, SVG) of a rung's drawing; the trace of `path` has to hold it."""
    trace, drawing = traces(path.read_text())[rung], Drawing()
    where = {value: (x, drawing.y) for value, x in draw_loads(trace, drawing).items()}
    if trace.adds:
        where = draw_tree(trace, drawing)
    else:  # straight from the elements
        where = {value: (x, drawing.y - 4 - RADIUS) for value, (x, _) in where.items()}
    draw_end(trace, drawing, where)
    return title_of(trace), words_of(trace), drawing.svg(f"pattern-{rung}", words_of(trace))
