"""Assembles the report: the page with the data of its scripts, and its tables as CSV."""

import base64
import functools
import gzip
import itertools
import json
import math
import pathlib

import jinja2
import numpy
import vl_convert

from . import charts, sources
from .sections import SECTIONS, glance, ladder
from .study import as_rows
from .text import elements
from .view import View

SCRIPTS = ["base.js", "tables.js", "charts.js", "pick.js", "rung.js", "start.js"]  # in front/, in this order
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)  # of a process's samples


def sentences_of(view):
    """Warnings for the top of the page: the number of measurements that are not right."""
    if view.right.empty:
        return ["No measurement in these records is right." if len(view.rows) else "No single reduction was timed."]
    wrong = len(ladder.wrong_by_mistake(view.all))
    return [f"{wrong} of {len(view.all)} measurements are wrong, failed or unfinished: they have no time. They are listed "
            "under Not right."] if wrong else []


def plain(value):
    """A number for JSON; None for NaN, infinity and anything else."""
    if isinstance(value, (int, numpy.integer)):
        return int(value)
    return float(f"{value:.6g}") if isinstance(value, (float, numpy.floating)) and math.isfinite(value) else None


def encoded(cell, short):
    """A cell: its text alone, or [text, value, source lines, state]. `short` abbreviates source lines."""
    value = plain(cell.value)
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
    """Data for the page's picker and tables as one JSON object, which the scripts in front/ use. Texts are formatted here, by the
    common rule for digits; the scripts only place them."""
    shown = next((section.tables[0].extra for section in sections if section.id == "ladder"), [])
    heads = (as_rows(view.headlines[device].head(1)) for device in view.whole)
    return {
        "tables": [{"id": table.id, "title": table.title, "heads": table.heads, "note": table.note, "section": section.id,
                    "rows": [[encoded(cell, short) for cell in row.values()] for row in table.rows]}
                   for section in sections for table in section.tables],
        "sections": {section.id: {
            "title": section.title, "text": section.text,
            "figures": [{"id": figure.id, "title": figure.title, "spec": figure.spec} for figure in section.figures]}
            for section in sections},
        "samples": [quantiles(view.study, row) for row in shown], "patterns": sources.patterns_of({row["rung"] for row in shown}),
        "told": told(),
        "colors": charts.COLOURS, "styles": {backend: charts.colour_of_backend(backend) for backend in charts.BACKENDS},
        "charts": charts.of_page(), "sources": sources.of(view.study, shown),
        "first": next(([cell.text for cell in ladder.asked_of(row).values()] for row, in filter(None, heads)), None)}


def packed(text):
    """Compressed text, free of markup whatever a record contains; front/begin.js unpacks it."""
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


@functools.cache
def vega():
    """The scripts that draw charts, compressed."""
    return packed(vl_convert.javascript_bundle())


def write(study, folder):
    """Writes index.html and tables/*.csv below `folder`, removing tables of an earlier report; returns the page's path."""
    view = View(study)
    sections = [section for section in (make(view) for make in SECTIONS) if section]
    folder = pathlib.Path(folder)
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    for path in (folder / "tables").glob("*.csv"):
        path.unlink()
    numbers = {file: number for number, file in enumerate(dict.fromkeys(study.files), 1)}

    def short(trace):
        """Compact source lines of a number: 2:1201,3 means lines 1201 and 1204 of the second file."""
        lines = {}
        for file, _, line in (place.rpartition(":") for place in trace):
            lines.setdefault(file, []).append(int(line))
        return " ".join(f"{numbers.setdefault(file, len(numbers) + 1)}:{some[0]}" + "".join(
            f",{line - last}" for last, line in itertools.pairwise(some)) for file, some in lines.items())

    data = data_of(view, sections, short) | {"files": list(numbers)}
    explored = any(section.id == "ladder" for section in sections)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(pathlib.Path(__file__).parent / "front"), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True)
    page = environment.get_template("page.html").render(
        sentences=sentences_of(view), cards=glance.cards_of(view), explored=explored, first=sections[0], numbers=numbers,
        short=short, scripts=SCRIPTS, problems=[str(problem) for problem in study.problems], web=sources.address(), vega=vega(),
        data=packed(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)))
    (folder / "index.html").write_text(page, encoding="utf-8")
    for section in sections:
        for table in section.tables:
            table.write_csv(folder / "tables" / f"{table.id}.csv")
    return folder / "index.html"
