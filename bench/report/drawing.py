"""How figures are drawn: as SVG that takes its ink from the page around it, in colours that the colour-blind tell apart.

All are of one width, so that their text is legible on a telephone, where they stand below each other; on a wide page two
stand side by side.
"""

import io
import re

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import FuncFormatter, NullLocator  # noqa: E402

from .parts import Figure  # noqa: E402
from .text import elements  # noqa: E402

WIDTH = 4.8  # inches, of 100 pixels
INK = "#010203"  # becomes the page's own colour, light or dark
GREY = "#8a8a8a"  # tells on both
# Okabe and Ito's colours, but for their yellow, which is faint on white, Tol's olive; black is the page's ink.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#999933"]
MARKS = ["o", "s", "^", "D", "v", "P", "X"]
DASHES = ["-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1))]
BACKENDS = ["cuda", "hip", "kokkos/cuda", "cpu", "kokkos/openmp", "kokkos/hip", "kokkos/serial"]  # the same in every report

# Rungs of one idea have one colour: of the device ladder, and of the CPU's.
FAMILIES = [
    {"atomics": "r00 r01 r18", "a tree, a load a thread": "r02 r03 r04 r05", "several loads a thread": "r06 r07 r08",
     "unrolled": "r09 r10", "grid stride, shuffles": "r11 r12 r13 r14 r15", "vector loads": "r16 r17",
     "one launch, tuned": "r20 r21 r22 r23 r24 r25 r26 r27 r28 r29 r30"},
    {"serial": "c00", "a shared result": "c01 c02 c03", "a result a thread": "c04 c05", "vectors": "c06 c08 c09",
     "several accumulators": "c07", "exact, tuned": "c10 c11 c12 c13"}]

matplotlib.rcParams.update({
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9, "figure.dpi": 100, "savefig.transparent": True,
    "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "legend.fontsize": 8,
    "grid.color": GREY, "grid.alpha": 0.3, "grid.linewidth": 0.6, "axes.axisbelow": True, "lines.linewidth": 1.5,
    "lines.markersize": 4, "svg.hashsalt": "ladder"})


def style_of(backend):
    """(colour, mark) of a backend, in every figure of every report."""
    known = BACKENDS.index(backend) if backend in BACKENDS else sum(map(ord, backend))
    return COLOURS[known % len(COLOURS)], MARKS[known % len(MARKS)]


def family_of(rung):
    """(name, colour, rungs) of a rung's family; what is in none, as libraries are, is in ink."""
    for ladder in FAMILIES:
        for (name, rungs), colour in zip(ladder.items(), COLOURS):
            if rung in rungs.split():
                return name, colour, rungs.split()
    return "library", INK, []


def new(height, rows=1, columns=1, **more):
    """A figure of the one width, and its axes."""
    return pyplot.subplots(rows, columns, figsize=(WIDTH, height), **more)


def over_elements(axes):
    """The x axis for sizes: powers of two, as 2^20."""
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: elements(n) if n >= 1 else ""))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel("elements")


def plain_numbers(axis):
    """Numbers of a logarithmic axis as they are said, 0.001 and 1000."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_locator(NullLocator())


def legend_below(figure, axes, columns=2):
    """The legend under the axes' own labels, where it covers nothing."""
    below = 0.52 / (figure.get_figheight() * axes.get_position().height)
    return axes.legend(loc="upper center", bbox_to_anchor=(0.45, -below), ncols=columns)


def finish(figure, identifier, title, alternative, table=None):
    """The drawing as a part of a page. `alternative` says in words what it shows."""
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
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
    return Figure(identifier, title, body.replace(INK, "currentColor"), alternative, table)


def standing_alone(svg):
    """The same as a file: with ink of its own, for light paper and dark."""
    style = "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}</style>"
    return svg.replace("</title>", "</title>" + style, 1)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
