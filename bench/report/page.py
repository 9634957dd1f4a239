"""Assembles the report: the page, and its tables as CSV."""

import functools
import itertools
import json
import pathlib

import jinja2
import vl_convert

from . import picked, sources
from .sections import SECTIONS, glance
from .sections.ladder import wrong_by_mistake
from .view import View

SCRIPTS = ["base.js", "tables.js", "charts.js", "pick.js", "rung.js", "start.js"]  # in front/, in this order


def sentences_of(view):
    """Warnings for the top of the page: the number of measurements that are not right."""
    if view.right.empty:
        return ["No measurement in these records is right." if len(view.rows) else "No single reduction was timed."]
    wrong = len(wrong_by_mistake(view.all))
    return [f"{wrong} of {len(view.all)} measurements are wrong, failed or unfinished: they have no time. They are listed "
            "under Not right."] if wrong else []


@functools.cache
def vega():
    """The scripts that draw charts, compressed."""
    return picked.packed(vl_convert.javascript_bundle())


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

    data = picked.data_of(view, sections, short) | {"files": list(numbers)}
    explored = any(section.id == "ladder" for section in sections)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(pathlib.Path(__file__).parent / "front"), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True)
    page = environment.get_template("page.html").render(
        sentences=sentences_of(view), cards=glance.cards_of(view), explored=explored, first=sections[0], numbers=numbers,
        short=short, scripts=SCRIPTS, problems=[str(problem) for problem in study.problems], web=sources.address(), vega=vega(),
        data=picked.packed(json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)))
    (folder / "index.html").write_text(page, encoding="utf-8")
    for section in sections:
        for table in section.tables:
            table.write_csv(folder / "tables" / f"{table.id}.csv")
    return folder / "index.html"
