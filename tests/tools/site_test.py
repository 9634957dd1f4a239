#!/usr/bin/env python3
"""tools/site/build.py: the pages as MkDocs has to be given them. That it builds them is a step of CI (.ci/steps/site.sh)."""

import contextlib
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "site"))
import build  # noqa: E402

PAGE = ROOT / "docs" / "ladder.md"


class Staged(unittest.TestCase):
    def staged(self, text):
        return build.as_site(text, PAGE)

    def test_a_list_or_a_table_begins_behind_an_empty_line(self):
        for begin in ("- one", "1. one", "| a |"):
            self.assertEqual(self.staged(f"Words:\n{begin}\n{begin}\nmore\n")[0], f"Words:\n\n{begin}\n{begin}\nmore\n")
            self.assertEqual(self.staged(f"**Words**:\n{begin}\n")[0], f"**Words**:\n\n{begin}\n")
        for whole in ("Words,\nand more\n", "- one\n  still one\n- two\n", "```\nWords:\n- code\n```\n",
                      "**Bold** word\n\n- one\n"):
            self.assertEqual(self.staged(whole)[0], whole)

    def test_a_link_to_a_source_file_leads_to_a_copy_that_a_browser_shows(self):
        text, files = self.staged("[index](../common/ladder.hpp) and [tests](results/h200/hip-tests.txt)")
        self.assertEqual(text, "[index](../common/ladder.hpp.txt) and [tests](results/h200/hip-tests.txt)")
        self.assertEqual(files, {ROOT / "common/ladder.hpp", ROOT / "docs/results/h200/hip-tests.txt"})

    def test_a_link_to_a_page_stays_and_one_to_a_folder_goes(self):
        for link in ("[m](method.md#cold-and-hot)", "[x](https://example.org/a.hpp)", "[y](#here)", "[gone](nowhere.md)"):
            self.assertEqual(self.staged(link), (link, set()))
        self.assertEqual(self.staged("[the spaces](../kokkos/spaces)"), ("the spaces", set()))

    def test_every_page_and_figure_is_there_and_the_first_is_the_readme(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            pages = build.stage(folder)
            self.assertEqual(pages[0], "README.md")
            every = [str(page.relative_to(ROOT)) for page in build.pages()]
            self.assertEqual(sorted(pages), sorted(name for name in every if not name.startswith("docs/lab/")))  # not for readers
            for name in (*every, "docs/results/figures/steps-all-h200.svg"):
                self.assertTrue((folder / name).is_file(), name)

    def test_a_link_that_leads_nowhere_ends_it(self):
        if not importlib.util.find_spec("material"):
            self.skipTest("MkDocs Material is not installed (tools/site/requirements.txt)")
        for link, status in (("docs/a.md#here", 0), ("docs/a.md#there", 1), ("docs/b.md", 1)):
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder).resolve()
                (root / "docs" / "results" / "figures").mkdir(parents=True)
                for name, text in (("README.md", f"# Read\n\n[a]({link})\n"), ("docs/a.md", "# A\n\n## Here\n"),
                                   ("CONTRIBUTING.md", "# Add\n"), ("CHANGELOG.md", "# Change\n")):
                    (root / name).write_text(text)
                printed = io.StringIO()
                with unittest.mock.patch.object(build, "ROOT", root), contextlib.redirect_stdout(printed):
                    self.assertEqual(build.main([f"--output={root / 'site'}"]), status, printed.getvalue())
                self.assertEqual("WARNING" in printed.getvalue(), status == 1)

    def test_a_page_fetches_nothing_from_elsewhere(self):
        if not importlib.util.find_spec("material"):
            self.skipTest("MkDocs Material is not installed (tools/site/requirements.txt)")
        with tempfile.TemporaryDirectory() as folder:
            site = pathlib.Path(folder) / "site"
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(build.main([f"--output={site}"]), 0)
            self.assertTrue((site / "search" / "search_index.json").exists())
            self.assertNotRegex((site / "docs" / "ladder" / "index.html").read_text(), "<(script|link|img)[^>]*https?://")


if __name__ == "__main__":
    unittest.main()
