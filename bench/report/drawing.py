"""The figures of the report, as SVG that takes its colours for text and lines from the page around it."""

import io
import re

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

from .text import elements  # noqa: E402

INK = "#010203"  # becomes the page's own colour, light or dark
# Okabe and Ito's colours, which those who are colour-blind tell apart; black is the page's ink.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442"]
MARKS = ["o", "s", "^", "D", "v", "P", "X"]

matplotlib.rcParams.update({
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9, "figure.dpi": 100, "savefig.transparent": True,
    "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False, "svg.hashsalt": "ladder"})


def style(backends):
    """{backend: (colour, mark)}, the same in every figure of a report."""
    return {backend: (COLOURS[i % len(COLOURS)], MARKS[i % len(MARKS)]) for i, backend in enumerate(backends)}


def svg(figure, identifier, alternative):
    """The figure to stand in a page, with what it shows in words for those who do not see it."""
    text = io.StringIO()
    figure.savefig(text, format="svg", bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
    body = text.getvalue()[text.getvalue().index("<svg"):]
    body = re.sub(r'(<svg[^>]*?) width="[^"]*"', rf'\1 role="img" aria-labelledby="{identifier}-text"', body, count=1)
    body = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", body, count=1)
    body = body.replace(">", f'><title id="{identifier}-text">{escaped(alternative)}</title>', 1)
    # Identifiers are the figure's own: several stand in one page.
    body = re.sub(r'(id="|href="#|url\(#)(?!' + re.escape(identifier) + ")", rf"\g<1>{identifier}-", body)
    return body.replace(INK, "currentColor")


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def ladder_bars(groups, styles, identifier, title):
    """GB/s of each rung, a bar for each backend; the theoretical peak and the read-only ceiling as lines.

    `groups`: {backend: rows of one problem, in the ladder's order}."""
    rungs = list(dict.fromkeys(rung for rows in groups.values() for rung in rows["rung"]))
    figure, axes = pyplot.subplots(figsize=(7.2, 0.6 + 0.16 * len(rungs) * (1 + len(groups) * 0.6)))
    height = 0.8 / len(groups)
    on = {rung: [backend for backend, rows in groups.items() if rung in set(rows["rung"])] for rung in rungs}
    for backend, rows in groups.items():
        # Around the rung's line, whichever backends have it.
        at = [rungs.index(rung) + (on[rung].index(backend) - (len(on[rung]) - 1) / 2) * height for rung in rows["rung"]]
        axes.barh(at, rows["gbs"], height=height * 0.92, color=styles[backend][0], label=backend)
    axes.margins(y=0.01)
    names = {rung: name for rows in groups.values() for rung, name in zip(rows["rung"], rows["name"])}
    axes.set_yticks(range(len(rungs)), [names[rung].replace("_", " ") for rung in rungs])
    axes.invert_yaxis()
    rows = next(iter(groups.values()))
    for value, name, line in ((rows["peak_gbs"].iloc[0], "theoretical peak", "--"), (rows["ceiling_gbs"].iloc[0], "read-only ceiling", ":")):
        if value and value == value:
            axes.axvline(value, color=INK, linestyle=line, linewidth=1, label=f"{name}, {value:.0f} GB/s")
    axes.set_xlabel("GB/s (10^9 bytes)")
    axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.12 * 4 / figure.get_figheight()), ncols=2)
    best = {backend: rows.loc[rows["gbs"].idxmax()] for backend, rows in groups.items()}
    return svg(figure, identifier, f"{title}. " + " ".join(
        f"Best on {backend}: {row['name']} with {row['gbs']:.0f} GB/s." for backend, row in best.items()))


def over_sizes(groups, styles, identifier, title, best_of):
    """Bandwidth over N: the best of each backend at each size, and what it was, with the launch floor's slope.

    `groups`: {backend: rows}; `best_of(rows)`: one row for each n."""
    figure, axes = pyplot.subplots(figsize=(7.2, 3.6))
    told = []
    for backend, rows in groups.items():
        best = best_of(rows).sort_values("n")
        colour, mark = styles[backend]
        axes.plot(best["n"], best["gbs"], color=colour, marker=mark, markersize=4, linewidth=1.5, label=backend)
        last = best.iloc[-1]
        told.append(f"{backend} reaches {last['gbs']:.0f} GB/s at n = {elements(last['n'])} ({last['name']}).")
    ceilings = next(iter(groups.values())).dropna(subset=["ceiling_gbs"]).drop_duplicates("n").sort_values("n")
    if not ceilings.empty:
        axes.plot(ceilings["n"], ceilings["ceiling_gbs"], color=INK, linestyle=":", linewidth=1, label="read-only ceiling")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("elements")
    axes.set_ylabel("GB/s")
    axes.legend(loc="lower right")
    return svg(figure, identifier, f"{title}. " + " ".join(told))
