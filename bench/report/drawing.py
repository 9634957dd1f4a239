"""How figures are drawn: as SVG that takes its ink from the page around it, in colours that the colour-blind tell apart.

All are of one width, so that their text is legible on a telephone, where they stand below each other; on a wide page two
stand side by side. Lines of many rungs are named at their ends, where a legend of all would fill the page.
"""

import io
import pathlib
import re

import matplotlib.figure
import matplotlib.style
from matplotlib.ticker import FuncFormatter, NullLocator

from .parts import Figure
from .study import as_rows
from .text import elements, missing

WIDTH = 4.8  # inches, of 100 pixels
INK = "#010203"  # becomes the page's own colour, light or dark
GREY = "#8a8a8a"  # tells on both
# Found by search: any two are at least 25 apart in CIELAB for each of the three kinds of colour-blindness (Machado, Oliveira,
# Fernandes, 2009), and each has a contrast of at least 2.2 with light and with dark paper; black is the page's ink.
COLOURS = ["#1b62b1", "#e19500", "#3fc28b", "#764c68", "#b70500", "#8100ff", "#b5a7d3"]
MARKS = ["o", "s", "^", "D", "v", "P", "X"]
DASHES = ["-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1))]
BACKENDS = ["cuda", "hip", "kokkos/cuda", "cpu", "kokkos/openmp", "kokkos/hip", "kokkos/serial"]  # the same in every report

# Rungs of one family have one colour; those of the CPU's ladder begin anew.
FAMILIES = [["atomics", "trees", "several loads per thread", "unrolled", "grid stride", "vector loads", "one launch"],
            ["serial", "a shared result", "one result per thread", "vectors", "several accumulators"]]

matplotlib.style.use(pathlib.Path(__file__).with_name("figures.mplstyle"))


def style_of(backend):
    """Colour and mark of a backend, in every figure of every report."""
    known = BACKENDS.index(backend) if backend in BACKENDS else sum(map(ord, backend))
    return {"color": COLOURS[known % len(COLOURS)], "marker": MARKS[known % len(MARKS)]}


def styles():
    """{backend: its colour and the name of its mark}, for the scripts of the page."""
    names = dict(zip(MARKS, ["circle", "square", "triangle", "diamond", "down", "cross", "star"], strict=True))
    found = {backend: style_of(backend) for backend in BACKENDS}
    return {backend: {"color": one["color"], "mark": names[one["marker"]]} for backend, one in found.items()} | {
        "": {"color": GREY, "mark": "circle"}}


def colour_of(family):
    """Of a family of rungs; what is in none, as libraries are, is in ink."""
    if missing(family):
        return INK
    known = next((names.index(family) for names in FAMILIES if family in names), sum(map(ord, family)))
    return COLOURS[known % len(COLOURS)]


def new(height, columns=1, grid="", room=None, **look):
    """A figure of the one width, and its axes: several that share the y axis, or one, which has lines along "x", "y" or "both"
    behind what is drawn, begins and ends at these parts of the width, and looks otherwise as axes.set takes it."""
    figure = matplotlib.figure.Figure(figsize=(WIDTH, height))
    if columns > 1:
        return figure, figure.subplots(1, columns, sharey=True, gridspec_kw={"wspace": 0.12})
    axes = figure.subplots(gridspec_kw=room and {"left": room[0], "right": room[1]})
    axes.grid(bool(grid), axis=grid or "both")
    axes.set(**look)
    return figure, axes


def over_elements(axes):
    """The x axis for sizes: powers of two, as 2²⁰."""
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: elements(n) if n >= 1 else ""))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel("elements")


def plain_numbers(axis):
    """Numbers of a logarithmic axis as they are said, 0.001 and 1000."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(NullLocator())


def rungs_down(axes, names):
    """The y axis for a row of each of these rungs, the first at the top."""
    axes.set_yticks(range(len(names)), [name.replace("_", " ").replace("library ", "") for name in names], fontsize=8)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def legend_below(figure, axes, columns=2):
    """The legend under the axes' own labels, where it covers nothing."""
    below = 0.52 / (figure.get_figheight() * axes.get_position().height)
    return axes.legend(loc="upper center", bbox_to_anchor=(0.45, -below), ncols=columns)


def over_sizes(axes, sizes):
    """The x axis from the least to the largest of these, with no more names than have room."""
    over_elements(axes)
    low, high = int(min(sizes)).bit_length() - 1, int(max(sizes)).bit_length() - 1
    axes.set_xticks([1 << power for power in range(low, high + 1, -(-(high - low) // 7) or 1)])


def line_style(row, place=0):
    """How a rung's line is drawn: its family's colour, and dashes and a mark by its number, or by `place` where it has none."""
    number = int(row["rung"][1:]) if row["rung"][1:].isdigit() else place
    return {"color": colour_of(row["family"]), "linestyle": DASHES[number % len(DASHES)], "linewidth": 1.1,
            "marker": MARKS[number % len(MARKS)], "markersize": 3}


def name_rungs(figure, axes, rows, across, value):
    """The names of the rungs' lines at their ends, and a legend of the families that are drawn and of the lines that have a
    name of their own; to be called when the axes have their limits."""
    ends = rows.sort_values(across, kind="stable").drop_duplicates("rung", keep="last").sort_values("rung")
    label_ends(axes, [(end[across], end[value], end["rung"].replace("library_", ""), colour_of(end["family"]))
                      for end in as_rows(ends)])
    for family in rows.sort_values("rung")["family"].fillna("library").unique():
        axes.plot([], [], color=colour_of(None if family == "library" else family), linewidth=2, label=family)
    legend_below(figure, axes)


def label_ends(axes, ends):
    """Names right of the axes, none on another, each with a thin line to where its own line ends. Rungs of one colour whose
    lines end on each other stand together. `ends`: (x, y, name, colour); to be called when the axes have their limits."""
    step = 8.6 * axes.figure.dpi / 72 / axes.bbox.height
    places = []  # [height in the axes, names, colour, end]
    for x, y, name, colour in sorted(ends, key=lambda end: end[1]):
        at = axes.transAxes.inverted().transform(axes.transData.transform((x, y)))[1]
        same = next((one for one in places if one[2] == colour and name[1:].isdigit() and one[1][0][1:].isdigit()
                     and abs(one[0] - at) < step / 2 and one[3][0] == x), None)
        if same:
            same[1].append(name)
        else:
            places.append([at, [name], colour, (x, y)])
    heights = [one[0] for one in places]
    for _ in range(200):  # apart by halves, until none touches another
        for low in range(len(heights) - 1):
            lack = step - (heights[low + 1] - heights[low])
            if lack > 1e-4:
                heights[low], heights[low + 1] = heights[low] - lack / 2, heights[low + 1] + lack / 2
    for height, (_, names, colour, end) in zip(heights, places, strict=True):
        line = {"arrowstyle": "-", "color": colour, "linewidth": 0.8, "shrinkA": 1, "shrinkB": 2, "relpos": (0, 0.5)}
        axes.annotate(in_short(names), end, xytext=(1.05, height), textcoords="axes fraction", fontsize=7.5, va="center",
                      annotation_clip=False, arrowprops=line)
    longest = max((len(in_short(names)) for _, names, _, _ in places), default=0)
    axes.figure.subplots_adjust(right=0.9 - 0.012 * longest)  # so that the drawing keeps its width


def places_beside(pairs, apart):
    """{(rung, backend): its place on the y axis}: rungs below each other, and the backends of each `apart` beside each other."""
    on = {}
    for rung, backend in dict.fromkeys(pairs):
        on.setdefault(rung, []).append(backend)
    return {(rung, backend): place + (at - (len(backends) - 1) / 2) * apart
            for place, (rung, backends) in enumerate(on.items()) for at, backend in enumerate(backends)}


def in_short(names):
    """"r11-r15" for those that follow each other."""
    runs = []
    for name in sorted(names):
        if runs and name[1:].isdigit() and runs[-1][-1][1:].isdigit() and int(name[1:]) == int(runs[-1][-1][1:]) + 1:
            runs[-1].append(name)
        else:
            runs.append([name])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs)


def finish(figure, table, sentences, title=""):
    """The figure as a part of a page, of the table's name, and of its title if it has none of its own. Title and sentences say
    what it shows; the table holds its numbers, and is no part of it where it has none."""
    table.folded, title = True, title or table.title
    words = " ".join([f"{title}.", *sentences])
    return Figure(table.id, title, lambda: svg_of(figure, table.id, words), words, table if table.rows else None)


def svg_of(figure, identifier, alternative):
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    body = text.getvalue()[text.getvalue().index("<svg"):]
    body = re.sub(r"<metadata>.*?</metadata>\s*", "", body, flags=re.S)
    words = f'<title id="{identifier}-text">{escaped(alternative)}</title>'
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    body = re.sub(r'<svg[^>]*?(viewBox="[^"]*")[^>]*>',
                  lambda found: f'<svg {spaces} {found[1]} role="img" aria-labelledby="{identifier}-text">{words}', body, count=1)
    # Identifiers are the figure's own: several stand in one page.
    body = re.sub(r'( id="|href="#|url\(#)(?!' + re.escape(identifier) + "-text)", rf"\g<1>{identifier}-", body)
    # A hundredth of a pixel is enough, and the same on every machine.
    body = re.sub(r'(?<= )(d|x|y|x1|x2|y1|y2|width|height|transform|points)="[^"]*"',
                  lambda found: re.sub(r"-?\d+\.\d{3,}", lambda one: f"{float(one[0]):.2f}", found[0]), body)
    return body.replace(INK, "currentColor")


def standing_alone(svg):
    """The same as a file: with ink of its own, for light paper and dark."""
    style = "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}</style>"
    return svg.replace("</title>", "</title>" + style, 1)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
