"""Figures of the report, for the pages: an SVG of docs/results/figures each, drawn from committed records."""

import functools
import importlib.metadata
import os
import pathlib
import re
import sys

from .records import ROOT

FOLDER = ROOT / "docs" / "results" / "figures"


class NotHere(Exception):
    """Why figures cannot be drawn, or not as those that are committed."""


@functools.cache
def report():
    """The report's package, where what it stands on is installed in the version that draws the same to the byte."""
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        from report import drawing, page, records
    except ImportError as error:
        raise NotHere(f"{error.name} is not installed (./study setup installs it)") from error
    for name, wanted in re.findall(r"^(\w+)==([\d.]+)", (ROOT / "bench" / "report" / "requirements.txt").read_text(), re.M):
        found = importlib.metadata.version(name)
        if found != wanted:
            raise NotHere(f"they are drawn with {name} {wanted}, and this is {found}")
    return drawing, page, records


@functools.cache
def figures_of(files):
    """{id: figure} of the report of these records files, whose names begin at the repository's root."""
    _, page, records = report()
    _, first, sections = page.report_of(records.read([ROOT / file for file in files.split(",")]))
    return {figure.id: figure for section in [first, *sections] for figure in section.figures}


def figure(where, files, name, records):
    """(Markdown, path of the SVG, its text): what stands in the page at `where` of the report's figure of this name, with the
    records that its numbers come from."""
    drawing = report()[0]
    found = figures_of(records)
    if name not in found:
        sys.exit(f"no figure {name} in the report of {records}: {', '.join(found)}")
    one = found[name]
    path = FOLDER / f"{name}.svg"
    shown = pathlib.PurePath(os.path.relpath(path, where.parent)).as_posix()
    used = {place.rpartition(":")[0] for row in (one.table.rows if one.table else ()) for cell in row for place in cell.trace}
    sources = "\n".join(f"- {files[file].source()}" for file in records.split(",") if not used or str(ROOT / file) in used)
    return f'<img src="{shown}" width="640" alt="{drawing.escaped(one.words)}">\n\n{one.title}:\n{sources}\n', path, drawing.standing_alone(one.svg) + "\n"
