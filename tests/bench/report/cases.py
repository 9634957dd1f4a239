"""What the tests of bench/report share. To import it ends the program with status 77 where pandas, vl-convert or Jinja2 are
not installed."""

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
        """The study of files with these lines."""
        return records.read([made.write(self.folder / f"{i}.jsonl", lines) for i, lines in enumerate(files)])

    def view(self, *files):
        return View(self.read(*files))

    def section(self, module, *files):
        """The section that a module makes of these files; nothing where it makes none."""
        return module.section(self.view(*files))

    def page_of(self, *files):
        """The text of the page of these files; its tables lie in out/tables."""
        return page.write(self.read(*files), self.folder / "out").read_text()

    def table(self, pattern):
        """The rows of the one table of the page that is named so."""
        path, = (self.folder / "out" / "tables").glob(f"{pattern}.csv")
        return rows_of(path)

    def ladder(self, *files):
        """The rows of the ladder of these files, and its note."""
        table, = ladder.section(self.view(*files)).tables
        return table.rows, table.note

    def beside(self, *files):
        """{rung: the speed of hip as a part of cuda's}, and the ladder's note."""
        rows, note = self.ladder(*files)
        return {row["rung"].text[:3]: row["vs native"] for row in rows if row["backend"].text == "hip"}, note


def texts(table):
    return [[cell.text for cell in row.values()] for row in table.rows]


def kinds_of(cell):
    """The kinds of the records that a cell comes from; a published figure is no record."""
    places = (place.rpartition(":") for place in cell.trace if not place.startswith("docs/"))
    return [json.loads(pathlib.Path(file).read_text().splitlines()[int(number) - 1])["kind"] for file, _, number in places]


def data_of(text):
    """What a page's scripts draw from."""
    return json.loads(gzip.decompress(base64.b64decode(re.search(r'<script [^>]*id="data">(.*?)</script>', text, re.S)[1])))


def rows_of(file):
    with open(file, newline="") as text:
        return list(csv.DictReader(text))
