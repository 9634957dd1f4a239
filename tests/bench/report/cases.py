"""What the tests of bench/report share. To import it ends the program with status 77 where pandas, matplotlib or Jinja2 are
not installed."""

import base64
import csv
import gzip
import json
import pathlib
import re
import sys
import tempfile
import unittest
import warnings

import made

ROOT = pathlib.Path(__file__).resolve().parents[3]
H200 = ROOT / "docs" / "results" / "h200"
ONE_PROCESS = pathlib.Path(__file__).parent / "records"  # of an H200 too, of one process each, which are committed for the tests
sys.path.insert(0, str(ROOT / "bench"))
try:
    from report import records
    from report.view import View
except ImportError as error:
    print(f"not run: {error.name} is not installed (./study setup installs it)")
    sys.exit(77)


class Case(unittest.TestCase):
    """With a folder that is deleted afterwards; a warning fails it, since it would be on the screen of whoever makes a report."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        quiet = warnings.catch_warnings()
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)
        warnings.simplefilter("error")

    def read(self, *files):
        """The study of files with these lines."""
        return records.read([made.write(self.folder / f"{i}.jsonl", lines) for i, lines in enumerate(files)])

    def view(self, *files):
        return View(self.read(*files))


def data_of(text):
    """What a page's scripts draw from."""
    return json.loads(gzip.decompress(base64.b64decode(re.search(r'<script [^>]*id="data">(.*?)</script>', text, re.S)[1])))


def rows_of(file):
    with open(file, newline="") as text:
        return list(csv.DictReader(text))
