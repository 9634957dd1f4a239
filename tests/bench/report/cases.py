"""Shared by the tests of bench/report. The import ends the program with status 77 if pandas, vl-convert or Jinja2 is not
installed."""

import base64
import csv
import gzip
import json
import pathlib
import re
import sys
import warnings

import made
from running import ROOT, InFolder

H200 = ROOT / "docs" / "results" / "h200"
try:
    from report import page, records
    from report.sections import ladder
    from report.view import View
except ImportError as error:
    print(f"not run: {error.name} is not installed (./study setup installs it)")
    sys.exit(77)


class Case(InFolder):
    """Fails on a warning, which a user would see on the screen."""

    def setUp(self):
        super().setUp()
        self.enterContext(warnings.catch_warnings(action="error"))

    def read(self, *files):
        """Study of files with these lines."""
        return records.read([made.write(self.folder / f"{i}.jsonl", lines) for i, lines in enumerate(files)])

    def view(self, *files):
        return View(self.read(*files))

    def section(self, module, *files):
        """Section of a module for these files; None if it makes none."""
        return module.section(self.view(*files))

    def page_of(self, *files):
        """Text of the page of these files; the page's tables are in out/tables."""
        return page.write(self.read(*files), self.folder / "out").read_text()

    def table(self, pattern):
        """Rows of the page's only table whose name matches."""
        path, = (self.folder / "out" / "tables").glob(f"{pattern}.csv")
        return rows_of(path)

    def ladder(self, *files):
        """(rows, note) of the ladder of these files."""
        table, = ladder.section(self.view(*files)).tables
        return table.rows, table.note

    def beside(self, *files):
        """({rung: speed of hip relative to cuda}, the ladder's note)"""
        rows, note = self.ladder(*files)
        return {row["rung"].text[:3]: row["vs native"] for row in rows if row["backend"].text == "hip"}, note


def texts(table):
    return [[cell.text for cell in row.values()] for row in table.rows]


def kinds_of(cell):
    """Kinds of a cell's records; published figures are not records."""
    places = (place.rpartition(":") for place in cell.trace if not place.startswith("docs/"))
    return [json.loads(pathlib.Path(file).read_text().splitlines()[int(number) - 1])["kind"] for file, _, number in places]


def data_of(text):
    """Data of a page's scripts."""
    return json.loads(gzip.decompress(base64.b64decode(re.search(r'<script [^>]*id="data">(.*?)</script>', text, re.S)[1])))


def rows_of(file):
    with open(file, newline="") as text:
        return list(csv.DictReader(text))
