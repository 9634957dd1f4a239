"""Data for the page's picker and tables as one JSON object: page.html embeds it, the scripts in front/ use it.

Texts are formatted here, by the common rule for digits; the scripts only place them. A cell is its text alone, or [text, value,
source lines, state]."""

import base64
import gzip
import math

import numpy

from . import charts, sources
from .sections import ladder
from .study import as_rows
from .text import elements

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)  # of a process's samples


def plain(value):
    """A value for JSON; None for NaN and infinity."""
    if isinstance(value, (str, bool)) or value is None:
        return value
    if isinstance(value, (int, numpy.integer)):
        return int(value)
    value = float(value)
    return float(f"{value:.6g}") if math.isfinite(value) else None


def encoded(cell, short):
    """A cell; `short` abbreviates its source lines."""
    value = plain(cell.value) if isinstance(cell.value, (int, float, numpy.number)) else None
    if value is None and not cell.trace and not cell.state:
        return cell.text
    return [cell.text, value, short(cell.trace), cell.state]


def quantiles(study, row):
    """Quantiles of each process's samples, relative to the row's time."""
    found = []
    for process, seconds in study.samples.get((row["run"], row["id"]), {}).items():
        if process in row["by_process"]:
            ordered = sorted(seconds)
            found.append([round(ordered[round(part * (len(ordered) - 1))] / row["time"], 4) for part in QUANTILES])
    return found


def told():
    """{rung: prediction of its step from before the measurement: factor, against, n, because}"""
    return {line["rung"]: [line["factor"], line["against"], elements(line["n"]), line["because"]]
            for line in sources.predictions(sources.ROOT)}


def data_of(view, sections, short):
    """The whole JSON object."""
    shown = next((section.tables[0].extra for section in sections if section.id == "ladder"), [])
    heads = (as_rows(view.headlines[device].head(1)) for device in view.whole)
    return {
        "tables": [{"id": table.id, "title": table.title, "heads": table.heads, "note": table.note, "section": section.id,
                    "rows": [[encoded(cell, short) for cell in row] for row in table.rows]}
                   for section in sections for table in section.tables],
        "sections": {section.id: {
            "title": section.title, "text": section.text,
            "figures": [{"id": figure.id, "title": figure.title, "spec": figure.spec} for figure in section.figures]}
            for section in sections},
        "samples": [quantiles(view.study, row) for row in shown], "patterns": sources.patterns_of({row["rung"] for row in shown}),
        "told": told(),
        "colors": charts.COLOURS, "styles": {backend: charts.colour_of_backend(backend) for backend in charts.BACKENDS},
        "charts": charts.of_page(), "sources": sources.of(view.study, shown),
        "first": next(([cell.text for cell in ladder.asked_of(row)] for row, in filter(None, heads)), None)}


def packed(text):
    """Compressed text, free of markup whatever a record contains; front/begin.js unpacks it."""
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
