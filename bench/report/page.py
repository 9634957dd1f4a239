"""Puts the report together: the page, the same tables as Markdown and CSV, each figure as SVG."""

import pathlib

import jinja2

from .drawing import standing_alone
from .parts import Section
from .sections import SECTIONS, glance, ladder, machines
from .view import View


def report_of(study):
    """(sentences, what stands first, the other sections) of a study. Where nothing is right it tells what is wrong."""
    if study.measurements.empty:
        return ["These records hold no measurement."], Section("glance", ""), []
    view = View(study)
    if view.right.empty:
        sections = [ladder.spoiled(view), machines.section(view)]
        return ["No measurement in these records is right."], Section("glance", ""), sections
    sentences, first = glance.section(view)
    wrong = len(view.rows) - len(view.right)
    if wrong:
        sentences.append(f"{wrong} of {len(view.rows)} measurements are wrong, failed or unfinished: they have no time, and "
                         "stand under Not right.")
    return sentences, first, [section for section in (make(view) for make in SECTIONS) if section]


def write(study, folder):
    """Writes index.html, tables/*.md and *.csv, figures/*.svg below `folder`, whose tables and figures of an earlier report
    go; returns the page's path."""
    sentences, first, sections = report_of(study)
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

    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(pathlib.Path(__file__).parent), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True)
    page = environment.get_template("page.html").render(
        title="Reduction Ladder: report", sentences=sentences, first=first, sections=sections, lines=study.lines,
        problems=[str(problem) for problem in study.problems], numbers=numbers, short=short)
    (folder / "index.html").write_text(page, encoding="utf-8")
    for section in [first, *sections]:
        for table in [*section.tables, *(figure.table for figure in section.figures if figure.table)]:
            (folder / "tables" / f"{table.id}.md").write_text(table.markdown(), encoding="utf-8")
            table.write_csv(folder / "tables" / f"{table.id}.csv")
        for figure in section.figures:
            (folder / "figures" / f"{figure.id}.svg").write_text(standing_alone(figure.svg), encoding="utf-8")
    return folder / "index.html"
