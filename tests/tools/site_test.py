"""tools/site/build.py: the pages in the form for MkDocs, and a small site. CI builds all pages (.ci/steps/site.sh)."""

import importlib.util
import unittest.mock

import build

from running import ROOT, InFolder, run_main

PAGE = ROOT / "docs" / "ladder.md"


class Staged(InFolder):
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
        pages = build.stage(self.folder)
        self.assertEqual(pages[0], "README.md")
        every = [str(page.relative_to(ROOT)) for page in build.pages()]
        self.assertEqual(sorted(pages), sorted(name for name in every if not name.startswith("docs/lab/")))  # no navigation
        for name in (*every, "docs/results/figures/steps-all-h200.svg"):
            self.assertTrue((self.folder / name).is_file(), name)

    def test_a_link_that_leads_nowhere_ends_it_and_a_page_fetches_nothing_from_elsewhere(self):
        if not importlib.util.find_spec("material"):
            self.skipTest("MkDocs Material is not installed (tools/site/requirements.txt)")
        root, site = self.folder.resolve(), self.folder / "site"
        (root / "docs" / "results" / "figures").mkdir(parents=True)
        for link, status in (("docs/a.md#here", 0), ("docs/a.md#there", 1), ("docs/b.md", 1)):
            for name, text in (("README.md", f"# Read\n\n[a]({link})\n"), ("docs/a.md", "# A\n\n## Here\n"),
                               ("CONTRIBUTING.md", "# Add\n"), ("CHANGELOG.md", "# Change\n")):
                (root / name).write_text(text)
            with unittest.mock.patch.object(build, "ROOT", root):
                found, printed = run_main(build.main, f"--output={site}")
            self.assertEqual((found, "WARNING" in printed), (status, status == 1), printed)
            if not status:
                self.assertTrue((site / "search" / "search_index.json").exists())
                self.assertNotRegex((site / "docs" / "a" / "index.html").read_text(), "<(script|link|img)[^>]*https?://")
