"""Charts as Vega-Lite: Vega draws them on the page, and vl-convert makes SVG of them for docs/.

Lines and text take the page's text colour, light or dark. Colours are distinguishable for the colour-blind."""

import hashlib
import json
import typing

import vl_convert

from .parts import Figure
from .text import elements, missing

WIDTH, HEIGHT = 460, 290  # pixels inside the axes
INK, GREY = "currentColor", "#8a8a8a"  # grey is visible on light and dark
# Found by search. Any two differ by at least 25 in CIELAB for each of the three kinds of colour-blindness (Machado, Oliveira,
# Fernandes, 2009). Each has a contrast of at least 2.2 with light and with dark paper; black is the page's text colour.
COLOURS = ["#1b62b1", "#e19500", "#3fc28b", "#764c68", "#b70500", "#8100ff", "#b5a7d3"]
DASHES = [[1, 0], [6, 3], [2, 2], [6, 2, 2, 2], [8, 2, 2, 2, 2, 2]]  # the first is solid
BACKENDS = ["cuda", "hip", "kokkos/cuda", "cpu", "kokkos/openmp", "kokkos/hip", "kokkos/serial"]  # the same in every report

AXIS = {"gridColor": GREY, "gridOpacity": 0.3, "domainColor": INK, "tickColor": INK, "labelColor": INK, "titleColor": INK,
        "titleFontWeight": "normal", "labelFontSize": 10.5, "titleFontSize": 11}
# Space on the left and between columns: a browser's letters may be wider than the font used to measure labels.
CONFIG = {"background": None, "font": "sans-serif", "view": {"stroke": None}, "axis": AXIS,
          "padding": {"left": 24, "right": 5, "top": 5, "bottom": 5},
          "legend": {"labelColor": INK, "orient": "bottom", "columns": 2, "columnPadding": 30, "title": None, "labelLimit": 260,
                     "symbolStrokeWidth": 2},
          "text": {"color": INK, "fontSize": 10}, "rule": {"color": INK}}


class Line(typing.NamedTuple):
    """A line of points made by point()."""

    name: str
    points: list
    colour: str
    dash: typing.Sequence = DASHES[0]
    dots: bool = True


def colour_of_backend(backend):
    """Colour of a backend, the same in all charts of all reports."""
    known = BACKENDS.index(backend) if backend in BACKENDS else sum(map(ord, backend))
    return COLOURS[known % len(COLOURS)]


def label_of(name):
    """Rung name for an axis or a legend."""
    return name.replace("_", " ").replace("library ", "")


def style_of(place):
    """(colour, dash) of the line with this index."""
    return COLOURS[place % len(COLOURS)], DASHES[place // len(COLOURS) % len(DASHES)]


def tooltip(*fields):
    return [{"field": name, "title": " " * place} for place, name in enumerate(fields, 1)]


def point(x, y, text="", low=None, high=None, **more):
    """A point with tooltip and interval ends; the ends are omitted unless both are known. label: text drawn next to it. A whole x
    stays exact (shortened), so that a tick at the last one lies within the axis."""
    ends = {} if missing(low) or missing(high) else {"low": float(low), "high": float(high)}
    return {"x": int(x) if float(x).is_integer() else float(x), "y": float(y), "text": text} | ends | more


def axis(title, log=0, values=None, **scale):
    """An axis over the range of the data unless `scale` is given; `log`: base of a logarithmic axis; `values`: tick
    positions."""
    kind = {"type": "log", "base": log} if log else {"zero": False}
    return {"type": "quantitative", "title": title, "scale": {"nice": False} | kind | scale,
            "axis": {"grid": True, "format": "~r", "labelOverlap": True} | ({"values": values} if values else {})}


def elements_axis():
    """Axis of element counts, as powers of two."""
    found, names = axis("elements", log=2), json.dumps({str(1 << power): elements(1 << power) for power in range(40)})
    found["axis"] |= {"labelExpr": f"{names}[format(datum.value, 'd')]", "tickCount": 8}
    return found


def lines_chart(lines, x, y):
    """Lines over an axis."""
    def by_line(values):
        return {"field": "line", "type": "nominal", "sort": None, "scale": {"range": values}, "legend": {"symbolType": "stroke"}}

    rows = [{"line": line.name, "dots": line.dots, **one} for line in lines for one in line.points]
    encoding = {"x": x | {"field": "x"}, "y": y | {"field": "y"}, "color": by_line([line.colour for line in lines]),
                "strokeDash": by_line([list(line.dash) for line in lines]),
                "tooltip": tooltip("line", "text")}
    layers = [{"mark": {"type": "line", "strokeWidth": 1.3}},
              {"mark": {"type": "point", "filled": True, "size": 18, "opacity": 1},
               "transform": [{"filter": "datum.dots"}]}]
    if any("low" in row for row in rows):
        layers.append({"mark": {"type": "rule"}, "transform": [{"filter": "isValid(datum.low)"}],
                       "encoding": {"y": {"field": "low"}, "y2": {"field": "high"}}})
    drawn = {"encoding": encoding, "layer": layers}
    if any("label" in row for row in rows):  # separate layer: text has no dashes
        drawn = {"layer": [drawn, {"mark": {"type": "text", "dy": -8}, "transform": [{"filter": "isValid(datum.label)"}],
                                   "encoding": {"x": encoding["x"], "y": encoding["y"], "text": {"field": "label"}}}]}
    return {"width": WIDTH, "height": HEIGHT, "data": {"values": rows}} | drawn


def rows_chart(rows, x, colours, row_height, dots=False):
    """A bar or dot (filled or open) per row (name, series, x, text; optional low, high, open). The series of a name are stacked
    vertically. `colours`: {series: its colour}."""
    names = list(dict.fromkeys(row["name"] for row in rows))
    series = {"field": "series", "type": "nominal", "scale": {"domain": list(colours), "range": list(colours.values())}}
    encoding = {"y": {"field": "name", "type": "nominal", "sort": names,
                      "axis": {"title": None, "labelLimit": 220, "grid": False, "ticks": False}},
                "yOffset": {"field": "series", "sort": list(colours)}, "x": x | {"field": "x"}, "color": series | {"legend": {}},
                "tooltip": tooltip("name", "series", "text")}
    if dots:
        encoding["fillOpacity"] = {"condition": {"test": "datum.open", "value": 0}, "value": 1}
        encoding |= {"fill": encoding.pop("color"), "stroke": series}
        layers = [{"mark": {"type": "point", "size": 30, "strokeWidth": 1.4}}]
    else:
        encoding["x"] |= {"scale": {"zero": True}}
        layers = [{"mark": {"type": "bar"}},
                  {"mark": {"type": "text", "align": "left", "dx": 4, "fontSize": 8}, "encoding": {
                      "text": {"field": "text"}, "color": {"value": INK}}}]
    step = {"step": max(row_height, 13 / len(colours)), "for": "offset"}  # a name takes 13 pixels
    return {"width": WIDTH - 60, "height": step, "data": {"values": rows}, "encoding": encoding,
            "layer": layers}


def heat_chart(cells, across, x_title, value_title, most):
    """A panel per model, with rungs as rows and the x of `across` as columns. `cells`: panel, name, x, value and its text; 0 is
    light, `most` is dark. Cells have their own colours and readable text, so that dark paper and a grey print look the same."""
    panels = list(dict.fromkeys(cell["panel"] for cell in cells))
    bare = {"ticks": False, "domain": False}
    colour = {"field": "value", "type": "quantitative", "title": value_title,
              "scale": {"scheme": "cividis", "domain": [0, most], "clamp": True},
              "legend": {"orient": "bottom", "direction": "horizontal", "gradientLength": 240, "titleColor": INK}}
    layers = [{"mark": "rect", "encoding": {"color": colour, "tooltip": tooltip("panel", "name", "x", "text")}},
              {"mark": {"type": "text", "fontSize": 11}, "encoding": {
                  "text": {"field": "text"},
                  "color": {"condition": {"test": f"datum.value > {0.55 * most:.6g}", "value": "#000"}, "value": "#fff"}}}]

    def panel(name):
        last = name == panels[-1]
        x = {"field": "x", "type": "nominal", "scale": {"domain": across}, "title": x_title if last else None,
             "axis": {"labelAngle": 0, "labels": last} | bare}
        y = {"field": "name", "type": "nominal", "sort": None, "axis": {"title": None, "labelLimit": 220} | bare}
        title = {"text": name, "anchor": "start", "frame": "group", "color": INK, "fontSize": 12, "fontWeight": "normal"}
        return {"title": title, "data": {"values": [cell for cell in cells if cell["panel"] == name]},
                "width": {"step": max(36, 6.2 * max(map(len, across)))}, "height": {"step": 19},
                "encoding": {"x": x, "y": y}, "layer": layers}

    return {"spacing": 8, "vconcat": [panel(name) for name in panels]}


def samples_chart():
    """Distribution of each process's samples: 10th to 90th percentile, middle half, and median in the text colour."""
    encoding = {"x": axis("% of the backend's time") | {"field": "x"},
                "y": {"field": "line", "type": "nominal", "sort": None, "axis": {"title": None}},
                "color": {"field": "backend", "type": "nominal", "sort": None, "scale": {"range": []}, "legend": None},
                "tooltip": tooltip("line", "text")}
    layers = [{"mark": "rule", "encoding": {"x": {"field": "low"}, "x2": {"field": "high"}}},
              {"mark": {"type": "bar", "height": 8}, "encoding": {"x": {"field": "lower"}, "x2": {"field": "upper"}}},
              {"mark": {"type": "tick", "thickness": 2}, "encoding": {"color": {"value": INK}}}]
    return {"config": CONFIG, "width": WIDTH - 60, "height": {"step": 16}, "data": {"values": []}, "encoding": encoding,
            "layer": layers}


def of_page():
    """Charts that the page fills with the selected data (front/charts.js)."""
    line = Line("", [point(1, 1, low=1, high=1)], INK)  # has interval ends, so that they are drawn
    lines = lines_chart([line], elements_axis(), axis("GB/s, logarithmic", log=10))
    return {"lines": {"config": CONFIG} | lines, "samples": samples_chart()}


def finish(chart, identifier, title, sentences):
    """Completes a chart as part of a page. Title and sentences describe its content."""
    words = " ".join([f"{title}.", *sentences])
    return Figure(identifier, title, shortened({"config": CONFIG, "description": words} | chart), words)


def shortened(value):
    """Rounds all numbers to six digits, more than is visible, so that output is the same on every machine."""
    return json.loads(json.dumps(value), parse_float=lambda text: float(f"{float(text):.6g}"))


def mark_of(spec):
    """Fingerprint of a chart, stored in its SVG."""
    return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:16]


def svg_of(figure):
    """SVG file of a figure: with description, fingerprint and own text colours for light and dark paper."""
    head = f'<svg role="img" data-mark="{mark_of(figure.spec)}" aria-labelledby="{figure.id}-text" '
    words = f'<title id="{figure.id}-text">{escaped(figure.words)}</title>'
    return standing_alone(vl_convert.vegalite_to_svg(figure.spec).replace("<svg ", head, 1).replace(">", f">{words}", 1))


def standing_alone(svg):
    """The SVG with its own text colours for light and dark paper."""
    style = "<style>svg{color:#1a1a1a}@media (prefers-color-scheme:dark){svg{color:#e6e6e6}}</style>"
    return svg.replace("</title>", "</title>" + style, 1)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
