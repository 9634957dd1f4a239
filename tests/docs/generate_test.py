#!/usr/bin/env python3
"""That docs/generate.py --check notices what it is there for, tried on a copy of the pages."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Generate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.copy = pathlib.Path(cls.folder.name)
        shutil.copytree(ROOT / "docs", cls.copy / "docs", copy_function=os.link if same_device(cls.copy) else shutil.copy)
        for page in cls.copy.rglob("*.md"):  # these are written to below
            text = page.read_text()
            page.unlink()
            page.write_text(text)
        (cls.copy / "tests").mkdir()
        shutil.copy(ROOT / "README.md", cls.copy)
        shutil.copytree(ROOT / "cuda" / "rungs", cls.copy / "cuda" / "rungs")
        for script in ("rung_diffs.py", "aa.py"):
            shutil.copy(ROOT / "tests" / script, cls.copy / "tests")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self):
        ladder = [f"--ladder={os.environ['LADDER']}"] if "LADDER" in os.environ else []  # without: no tables of rungs
        done = subprocess.run([sys.executable, self.copy / "docs" / "generate.py", "--check", *ladder], capture_output=True,
                              text=True)
        return done.returncode, done.stdout + done.stderr

    def with_page(self, name, change):
        """What --check says of the page as `change` makes it."""
        page = self.copy / name
        before = page.read_text()
        page.write_text(change(before))
        try:
            self.assertTrue(page.read_text() != before, "the test changes nothing")
            return self.check()
        finally:
            page.write_text(before)

    def test_the_committed_pages_are_fresh(self):
        status, text = self.check()
        self.assertEqual(status, 0, text)
        self.assertNotIn("stale", text)

    def test_a_changed_cell_is_stale(self):
        status, text = self.with_page("docs/published.md", lambda page: page.replace("| r04 |", "| r05 |", 1))
        self.assertEqual(status, 1)
        self.assertIn("docs/published.md: is stale", text)

    def test_a_changed_figure_in_prose_is_stale(self):
        def change(page):
            return re.sub(r"(<!-- = fact r02 issue_active -->)[^<]*", r"\g<1>12.3", page)

        status, text = self.with_page("docs/ladder.md", change)
        self.assertEqual(status, 1)
        self.assertIn("docs/ladder.md: is stale", text)

    def test_a_changed_source_of_a_rung_makes_its_diff_stale(self):
        if "LADDER" not in os.environ:
            self.skipTest("the environment names no LADDER")
        status, text = self.with_page("cuda/rungs/r05_sync_at_loop_start.cu", lambda source: source.replace("s > 0", "s >= 1"))
        self.assertEqual(status, 1)
        self.assertIn("docs/ladder.md: is stale", text)

    def test_a_rung_without_its_step_is_told(self):
        if "LADDER" not in os.environ:
            self.skipTest("the environment names no LADDER")
        status, text = self.with_page("docs/ladder.md", lambda page: page.replace("table: step rung=r14 ", "table: step rung=r15 "))
        self.assertNotEqual(status, 0)
        self.assertIn("no step of r14", text)

    def test_a_table_of_an_unknown_kind_is_told(self):
        status, text = self.with_page("docs/published.md", lambda page: page.replace("table: steps_of", "table: stpes_of", 1))
        self.assertNotEqual(status, 0)
        self.assertIn("no table of the kind 'stpes_of'", text)

    def test_a_document_without_its_table_is_told(self):
        status, text = self.with_page("docs/published.md", lambda page: page.replace("source=me964", "source=csc367"))
        self.assertNotEqual(status, 0)
        self.assertIn("no table of me964", text)

    def test_a_table_without_an_end_is_told(self):
        def change(page):
            begin = page.index("<!-- end -->", page.index("source=csc367"))
            return page[:begin] + page[begin:].replace("<!-- end -->\n", "", 1)

        status, text = self.with_page("docs/published.md", change)
        self.assertNotEqual(status, 0)
        self.assertIn("docs/published.md", text)

    def test_a_line_that_begins_with_a_figure_is_told(self):
        status, text = self.with_page("docs/ladder.md", lambda page: page.replace("(<!-- = ratio r12 r14 2^20",
                                                                                   "(\n<!-- = ratio r12 r14 2^20", 1))
        self.assertNotEqual(status, 0)
        self.assertIn("a line begins with a figure", text)

    def test_what_is_not_in_the_records_is_told(self):
        status, text = self.with_page("docs/ladder.md", lambda page: page.replace("<!-- = ratio r12 r14 2^20 -->",
                                                                                   "<!-- = ratio r12 r14 2^21 -->"))
        self.assertNotEqual(status, 0)
        self.assertIn("no measurement with", text)


def same_device(folder):
    return folder.stat().st_dev == (ROOT / "docs").stat().st_dev


if __name__ == "__main__":
    unittest.main()
