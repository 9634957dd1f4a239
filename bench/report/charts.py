"""Charts as Vega-Lite: the page embeds them, and vl-convert makes SVG of them for docs/.

Lines and text take the ink of the page around them, light or dark. Colours are told apart by the colour-blind. Lines of many
rungs are named at their ends, where a legend of all would fill the chart."""

import hashlib
import json
import math
import re
import typing

import vl_convert

from .parts import Figure
from .text import elements, missing

WIDTH, HEIGHT = 460, 290  # pixels inside the axes
INK, GREY = "currentColor", "#8a8a8a"  # grey tells on light and dark
# Found by search: any two are at least 25 apart in CIELAB for each of the three kinds of colour-blindness (Machado, Oliveira,
# Fernandes, 2009), and each has a contrast of at least 2.2 with light and with dark paper; black is the page's ink.
COLOURS = ["#1b62b1", "#e19500", "#3fc28b", "#764c68", "#b70500", "#8100ff", "#b5a7d3"]
DASHES = [[], [6, 3], [2, 2], [6, 2, 2, 2], [8, 2, 2, 2, 2, 2]]
BACKENDS = ["cuda", "hip", "kokkos/cuda", "cpu", "kokkos/openmp", "kokkos/hip", "kokkos/serial"]  # the same in every report

# Rungs of one family have one colour; those of the CPU's ladder begin anew.
FAMILIES = [["atomics", "trees", "several loads per thread", "unrolled", "grid stride", "vector loads", "one launch"],
            ["serial", "a shared result", "one result per thread", "vectors", "several accumulators"]]
AXIS = {"gridColor": GREY, "gridOpacity": 0.3, "domainColor": INK, "tickColor": INK, "labelColor": INK, "titleColor": INK,
        "titleFontWeight": "normal", "labelFontSize": 10.5, "titleFontSize": 11}
CONFIG = {"background": None, "font": "sans-serif", "view": {"stroke": None}, "axis": AXIS,
          "legend": {"labelColor": INK, "orient": "bottom", "columns": 3, "title": None, "labelLimit": 260,
                     "symbolStrokeWidth": 2},
          "text": {"color": INK, "fontSize": 10}, "rule": {"color": INK}}


class Line(typing.NamedTuple):
    """A line of points, each made by point()."""

    name: str
    points: list
    colour: str
    dash: typing.Sequence = ()
    dots: bool = True
    end: str = ""  # its name at its end, in place of one in a legend


def colour_of_backend(backend):
    """The same in every chart of every report."""
    known = BACKENDS.index(backend) if backend in BACKENDS else sum(map(ord, backend))
    return COLOURS[known % len(COLOURS)]


def label_of(name):
    """A rung's name as an axis or a legend has it."""
    return name.replace("_", " ").replace("library ", "")


def styles():
    """{backend: its colour and the name of its mark}, for the scripts of the page."""
    marks = ["circle", "square", "triangle", "diamond", "down", "cross", "star"]
    found = {backend: {"color": colour_of_backend(backend), "mark": mark} for backend, mark in zip(BACKENDS, marks, strict=True)}
    return found | {"": {"color": GREY, "mark": "circle"}}


def colour_of_family(family):
    """Of a family of rungs; what is in none, as libraries are, is in ink."""
    if missing(family):
        return INK
    known = next((names.index(family) for names in FAMILIES if family in names), sum(map(ord, family)))
    return COLOURS[known % len(COLOURS)]


def of_rung(row, points, place=0, **more):
    """The line of a rung: its family's colour, dashes by its number, or by `place` where it has none, its name at the end."""
    number = int(row["rung"][1:]) if row["rung"][1:].isdigit() else place
    return Line(row["name"], points, colour_of_family(row["family"]), DASHES[number % len(DASHES)],
                end=row["rung"].replace("library_", ""), **more)


def point(x, y, text="", low=None, high=None, **more):
    """A point with its tooltip and the ends of its interval, left out unless both are known; label: drawn next to it."""
    ends = {} if missing(low) or missing(high) else {"low": float(low), "high": float(high)}
    return {"x": float(x), "y": float(y), "text": text} | ends | more


def elements_axis(sizes):
    """From the least to the largest of these, with no more names than have room."""
    low, high = int(min(sizes)).bit_length() - 1, int(max(sizes)).bit_length() - 1
    values = [1 << power for power in range(low, high + 1, -(-(high - low) // 7) or 1)]
    names = json.dumps({str(value): elements(value) for value in values}, ensure_ascii=False)
    return {"title": "elements", "log": 2, "values": values, "expression": f"{names}[format(datum.value, 'd')]"}


def counts_axis(title, values):
    """Powers of two, each with its number."""
    return {"title": title, "log": 2, "values": sorted(values)[::-(-len(values) // 10) or 1], "format": "d"}


def rounds(low, high):
    """Where a logarithmic axis has its numbers."""
    wide = math.log10(high / low)
    parts = [1] if wide > 3 else [1, 2, 5] if wide > 0.8 else [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9]
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [part * 10 ** power for power in powers for part in parts]
    return [float(f"{value:.6g}") for value in found if low <= value <= high]


def axis_of(given, field):
    """An axis of {title, log: the base of a logarithmic one, symlog, low, high, values, format, expression}."""
    scale = {"zero": False, "nice": False}
    if "log" in given:
        scale |= {"type": "log", "base": given["log"]}
    if "symlog" in given:
        scale |= {"type": "symlog", "constant": given["symlog"]}
    scale |= {place: given[name] for place, name in (("domainMin", "low"), ("domainMax", "high")) if name in given}
    axis = {"title": given["title"], "grid": True}
    axis |= {name: given[name] for name in ("values", "format") if name in given}
    if "expression" in given:
        axis["labelExpr"] = given["expression"]
    return {"field": field, "type": "quantitative", "scale": scale, "axis": axis}


def spread_out(places, step):
    """Heights moved apart by halves until none is nearer than `step` to the next; they come in order."""
    places = list(places)
    for _ in range(200):
        for low in range(len(places) - 1):
            lack = step - (places[low + 1] - places[low])
            if lack > 1e-3:
                places[low], places[low + 1] = places[low] - lack / 2, places[low + 1] + lack / 2
    return places


def names_at_ends(lines, y, height):
    """A layer with the names of lines right of the axes, none on another: of one colour and height they stand together."""
    def pixel(value):
        low, high = (math.log(y[name]) if "log" in y else y[name] for name in ("low", "high"))
        return height * (1 - ((math.log(value) if "log" in y else value) - low) / (high - low))

    ends = []  # [height, colour, names]
    for line in sorted((line for line in lines if line.end), key=lambda line: pixel(line.points[-1]["y"])):
        at = pixel(line.points[-1]["y"])
        if ends and ends[-1][1] == line.colour and at - ends[-1][0] < 5 and line.end[1:].isdigit():
            ends[-1][2].append(line.end)
        else:
            ends.append([at, line.colour, [line.end]])
    heights = spread_out([end[0] for end in ends], 10)
    values = [{"at": at, "name": in_short(names), "colour": colour}
              for at, (_, colour, names) in zip(heights, ends, strict=True)]
    return {"data": {"values": values}, "mark": {"type": "text", "align": "left", "x": WIDTH + 6, "fontSize": 9.5},
            "encoding": {"y": {"field": "at", "type": "quantitative", "scale": None}, "text": {"field": "name"},
                         "color": {"field": "colour", "type": "nominal", "scale": None}}}


def in_short(names):
    """"r11-r15" for those that follow each other."""
    runs = []
    for name in sorted(names):
        if runs and name[1:].isdigit() and runs[-1][-1][1:].isdigit() and int(name[1:]) == int(runs[-1][-1][1:]) + 1:
            runs[-1].append(name)
        else:
            runs.append([name])
    return " ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs)


def lines_chart(lines, x, y, bounds=(), height=HEIGHT):
    """Lines over an axis. `bounds`: (y, name) of lines across. What leaves its axis's ends open takes them from the points."""
    values = [value for line in lines for one in line.points for value in (one["y"], one.get("low"), one.get("high"))
              if not missing(value)]
    values += [bound for bound, _ in bounds]
    spare = 1.08 if "log" in y else 1
    y = {"low": min(values) / spare, "high": max(values) * (spare if "log" in y else 1.05)} | y
    if "log" in y and "values" not in y:
        y |= {"values": rounds(y["low"], y["high"]), "format": "~g"}
    rows = [{"line": line.name, "dots": line.dots, **one} for line in lines for one in line.points]
    domain, legend = [line.name for line in lines], [line.name for line in lines if not line.end]
    shown = {"values": legend, "symbolType": "stroke"} if legend else None

    def by_line(ranges):
        return {"field": "line", "type": "nominal", "scale": {"domain": domain, "range": ranges}, "legend": shown}

    encoding = {"x": axis_of(x, "x"), "y": axis_of(y, "y"), "color": by_line([line.colour for line in lines]),
                "tooltip": [{"field": "line", "title": " "}, {"field": "text", "title": "  "}]}
    marks = {"mark": {"type": "point", "filled": True, "size": 18, "opacity": 1, "clip": True},
             "transform": [{"filter": "datum.dots"}]}
    layers = [{"mark": {"type": "line", "clip": True, "strokeWidth": 1.3},
               "encoding": {"strokeDash": by_line([list(line.dash) or [1, 0] for line in lines])}}, marks]
    if any(not missing(row.get("low")) for row in rows):
        layers.append({"mark": {"type": "rule", "clip": True}, "transform": [{"filter": "isValid(datum.low)"}],
                       "encoding": {"y": {"field": "low"}, "y2": {"field": "high"},
                                    "color": by_line([line.colour for line in lines])}})
    if any("label" in row for row in rows):
        layers.append({"mark": {"type": "text", "dy": -8}, "transform": [{"filter": "isValid(datum.label)"}],
                       "encoding": {"text": {"field": "label"}}})
    layers = [{"data": {"values": rows}, "encoding": encoding, "layer": layers}]
    if bounds:
        across = [{"y": value, "name": name} for value, name in bounds]
        layers.append({"data": {"values": across}, "encoding": {"y": axis_of(y, "y")}, "layer": [
            {"mark": {"type": "rule", "strokeDash": [5, 3]}},
            {"mark": {"type": "text", "align": "left", "x": 3, "dy": -5, "fontSize": 9},
             "encoding": {"text": {"field": "name"}}}]})
    if any(line.end for line in lines):
        layers.append(names_at_ends(lines, y, height))
    return {"width": WIDTH, "height": height, "layer": layers}


def rows_chart(rows, x, colours, row_height=13, dots=False):
    """Of each row (name, series, x, text, and low, high, open where there are) a bar, or a dot, which may be open. A name's
    series stand below each other. `colours`: {series: its colour}."""
    names = list(dict.fromkeys(row["name"] for row in rows))
    series = {"field": "series", "type": "nominal", "scale": {"domain": list(colours), "range": list(colours.values())}}
    encoding = {"y": {"field": "name", "type": "nominal", "sort": names,
                      "axis": {"title": None, "labelLimit": 220, "grid": False, "ticks": False}},
                "yOffset": {"field": "series", "sort": list(colours)}, "x": axis_of(x, "x"), "color": series | {"legend": {}},
                "tooltip": [{"field": name, "title": " " * place} for place, name in enumerate(("name", "series", "text"), 1)]}
    if dots:
        mark = {"type": "point", "size": 30, "strokeWidth": 1.4}
        encoding["fillOpacity"] = {"condition": {"test": "datum.open", "value": 0}, "value": 1}
        encoding["fill"] = series | {"legend": None}
        layers = [{"mark": mark}]
    else:
        encoding["x"]["scale"]["zero"] = True
        layers = [{"mark": {"type": "bar"}},
                  {"mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 8}, "encoding": {
                      "text": {"field": "text"}, "color": {"value": INK}}}]
        if any(not missing(row.get("low")) for row in rows):
            layers.append({"mark": {"type": "rule"}, "transform": [{"filter": "isValid(datum.low)"}],
                           "encoding": {"x": {"field": "low"}, "x2": {"field": "high"}, "color": {"value": INK}}})
    return {"width": WIDTH - 60, "height": {"step": row_height, "for": "offset"}, "data": {"values": rows}, "encoding": encoding,
            "layer": layers}


def finish(chart, table, sentences, title=""):
    """The chart as a part of a page, of the table's name, and of its title if it has none of its own. Title and sentences say
    what it shows; the table holds its numbers, and is no part of it where it has none."""
    table.folded, title = True, title or table.title
    words = " ".join([f"{title}.", *sentences])
    spec = shortened({"config": CONFIG, "description": words} | chart)
    return Figure(table.id, title, spec, words, table if table.rows else None)


def shortened(value):
    """With six digits of each number, which is more than is seen, and the same on every machine."""
    if isinstance(value, dict):
        return {name: shortened(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [shortened(one) for one in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def mark_of(spec):
    """What tells one chart from another; its SVG has it."""
    return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:16]


def svg_of(figure):
    """As a part of a page, whose ink it takes, with its words and its mark; its identifiers are its own."""
    clips = {}  # Vega's numbers go on from chart to chart
    text = re.sub(r"\bclip\d+", lambda found: f"{figure.id}-{clips.setdefault(found[0], len(clips))}",
                  vl_convert.vegalite_to_svg(figure.spec))
    head = f'<svg role="img" data-mark="{mark_of(figure.spec)}" aria-labelledby="{figure.id}-text" '
    words = f'<title id="{figure.id}-text">{escaped(figure.words)}</title>'
    return text.replace("<svg ", head, 1).replace(">", f">{words}", 1)


def standing_alone(svg):
    """The same as a file: with ink of its own, for light paper and dark."""
    style = "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}</style>"
    return svg.replace("</title>", "</title>" + style, 1)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
