"""Puts the report together: the page, the same tables as Markdown and CSV, each figure as SVG."""

import pathlib
import re

import jinja2
import markupsafe

from . import picked, sources
from .charts import standing_alone, svg_of
from .parts import Section
from .sections import SECTIONS, energy, glance, ladder, machines, wrong_by_mistake
from .view import View

SCRIPTS = ["base.js", "tables.js", "charts.js", "pick.js", "bars.js", "sizes.js", "samples.js", "source.js", "rung.js",
           "start.js"]  # in front/, in this order


def made_of(study):
    """(sentences, cards, what stands first, the other sections, the view) of a study. Where nothing is right it tells what is
    wrong."""
    if study.measurements.empty:
        if section := energy.of_study(study):
            return ["These records are of energy alone: no time was measured."], [], Section("glance", ""), [section], None
        return ["These records hold no measurement."], [], Section("glance", ""), [], None
    view = View(study)
    if view.right.empty:
        sections = [ladder.spoiled(view), machines.section(view)]
        return ["No measurement in these records is right."], [], Section("glance", ""), [one for one in sections if one], view
    cards, first = glance.section(view)
    wrong = len(wrong_by_mistake(view.rows))
    said = [f"{wrong} of {len(view.rows)} measurements are wrong, failed or unfinished: they have no time, and stand under Not "
            "right."] if wrong else []
    return said, cards, first, [section for section in (make(view) for make in SECTIONS) if section], view


def coded(text):
    """A note as HTML: what stands between backticks is code."""
    return markupsafe.Markup(re.sub(r"`([^`]*)`", r"<code>\1</code>", str(markupsafe.escape(text))))


def drawing_of(section, drawn):
    """The figures of a section as HTML; `drawn`: {identifier: SVG}."""
    figures = "".join(
        f'<figure id="{figure.id}">{drawn[figure.id]}<figcaption>{markupsafe.escape(figure.title)}'
        + (f' <a href="#table={figure.id}">its numbers</a>' if figure.table else "") + "</figcaption></figure>"
        for figure in section.figures)
    return f'<p>{markupsafe.escape(section.text)}</p><div class="figures">{figures}</div>'


def write(study, folder):
    """Writes index.html, tables/*.md and *.csv, figures/*.svg below `folder`, whose tables and figures of an earlier report
    go; returns the page's path."""
    sentences, cards, first, sections, view = made_of(study)
    folder = pathlib.Path(folder)
    for name, suffixes in (("tables", (".md", ".csv")), ("figures", (".svg",))):
        (folder / name).mkdir(parents=True, exist_ok=True)
        for path in (folder / name).iterdir():
            if path.suffix in suffixes:
                path.unlink()
    numbers = {file: number for number, file in enumerate(dict.fromkeys(study.files), 1)}

    def short(trace):
        """The places that a number comes from, with the file by its number: 2:1201, line 1201 of the second."""
        places = (place.rpartition(":") for place in trace)
        return " ".join(f"{numbers.setdefault(file, len(numbers) + 1)}:{line}" for file, _, line in places)

    drawings = [section for section in sections if section.figures]
    drawn = {figure.id: svg_of(figure) for section in drawings for figure in section.figures}
    data = picked.data_of(view, [first, *sections], short) | {
        "files": list(numbers), "drawings": {section.id: drawing_of(section, drawn) for section in drawings}}
    explored = any(table.about for section in sections for table in section.tables)
    parts = [("glance", "At a glance"), *([("explore", "Every rung")] if explored else []),
             ("tables", "All tables"), *([("figures", "More figures")] if drawings else []), ("records", "Records")]
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(pathlib.Path(__file__).parent / "front"), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"coded": coded}
    page = environment.get_template("page.html").render(
        title="Reduction Ladder", parts=parts, sentences=sentences, cards=cards, explored=explored, first=first,
        drawings=drawings, lines=study.lines, problems=[str(problem) for problem in study.problems], numbers=numbers,
        short=short, scripts=SCRIPTS, web=sources.address(), data=picked.packed(data))
    (folder / "index.html").write_text(page, encoding="utf-8")
    for section in [first, *sections]:
        for table in [*section.tables, *(figure.table for figure in section.figures if figure.table)]:
            (folder / "tables" / f"{table.id}.md").write_text(table.markdown(), encoding="utf-8")
            table.write_csv(folder / "tables" / f"{table.id}.csv")
    for name, svg in drawn.items():
        (folder / "figures" / f"{name}.svg").write_text(standing_alone(svg), encoding="utf-8")
    return folder / "index.html"
