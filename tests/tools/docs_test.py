"""tools/docs.py: the committed pages match the records, --check finds stale pages, and meaningless comparisons are refused. The
committed pages test the numbers: they contain each kind of table."""

import os
import pathlib
import re
import shutil
import tempfile
import unittest
import unittest.mock

import docs  # (ends the test if something is not installed)
import made
from report.pages import source, steps
from running import ROOT, InFolder, run_main

LADDER = [f"--ladder={os.environ['LADDER']}"] if "LADDER" in os.environ else []  # if unset: no tables of rungs


class Generator(InFolder):
    """Runs tools/docs.py on pages below another root."""

    def at(self, root):
        self.folder = root
        for module in (docs, docs.tables):
            self.enterContext(unittest.mock.patch.object(module, "ROOT", root))


class Committed(Generator):
    """Uses a copy of the pages and records; only the first test reads the records."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.copy = pathlib.Path(folder.name)
        for name in ("docs", "bench/report", "cuda", "hip", "cpu", "common", "include", "cmake"):
            shutil.copytree(ROOT / name, cls.copy / name)
        shutil.copytree(ROOT / "tools", cls.copy / "tools", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        shutil.copy(ROOT / "README.md", cls.copy)
        cls.sources = source.Sources(cls.copy)

    def setUp(self):
        self.at(self.copy)
        self.enterContext(unittest.mock.patch.object(docs, "Sources", lambda root: self.sources))

    def change(self, name, before, after):
        self.addCleanup((self.copy / name).write_text, (self.copy / name).read_text())
        super().change(name, before, after)

    def test_the_committed_pages_are_fresh(self):
        status, text = run_main(docs.main, "--check", *LADDER)
        self.assertEqual(status, 0, text)
        self.assertNotIn("stale", text)

    def test_whatever_is_changed_is_stale(self):
        figures = self.copy / "docs" / "results" / "figures"
        self.change("docs/kokkos.md", "| r04_", "| r05_")  # a cell
        self.change("docs/past.md", "| r28_fixed_tree | block 256", "| r28_fixed_tree | block 512")
        self.change("docs/data/patterns.csv", "r04,add,0,0,1,0,", "r04,add,0,1,1,0,")  # a drawing
        self.change("docs/results/figures/times-h100-hot.svg", 'data-mark="', 'data-mark="1')  # a chart of other data
        (figures / "of_no_page.svg").write_text("<svg/>")
        self.addCleanup((figures / "of_no_page.svg").unlink)
        folder = self.copy / "docs" / "results" / "new"  # records that no page mentions
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(ROOT / "docs" / "results" / "xeon-16" / "kokkos.jsonl.gz", folder)
        status, text = run_main(docs.main, "--check", *LADDER)
        self.assertEqual(status, 1)
        for name in ("docs/kokkos.md", "docs/past.md", "docs/results/figures/pattern-r04.svg",
                     "docs/results/figures/times-h100-hot.svg", "docs/results/figures/of_no_page.svg", "docs/results/README.md"):
            self.assertIn(f"{name}: is stale", text)

    def refused(self, page, before, after, said, make):
        with self.subTest(said):
            self.change(page, before, after)
            with self.assertRaises(SystemExit) as ended:
                make()
            self.assertIn(said, ended.exception.code)
            self.doCleanups()
            self.setUp()

    @unittest.skipUnless(LADDER, "the environment names no LADDER")
    def test_a_rung_without_its_drawing_its_step_or_its_section_is_told(self):
        for page, before, after, said in (
                ("docs/ladder.md", "figure: pattern-r14 ", "figure: pattern-r15 ", "no drawing of r14"),
                ("docs/ladder.md", "table: step rung=r14 ", "table: step rung=r15 ", "no step of r14"),
                ("docs/past.md", "### r23 cluster\n", "### clusters\n", "no step of r23, nor is it a section of docs/past.md")):
            self.refused(page, before, after, said, lambda: docs.main(["--check", *LADDER]))

    def test_what_a_page_cannot_have_is_told(self):
        for page, before, after, said in (
                ("hip", "table: ratios", "table: raitos", "no table of the kind 'raitos'"),
                ("hip", "<!-- end -->\n", "", "without its end"),
                ("kokkos", "cache=cold scope=kernel -->", "cache=cold scope=kernel n=2^21 -->", "no measurement with")):
            self.refused(f"docs/{page}.md", before, after, said,
                         lambda page=page: docs.Page(self.copy / "docs" / f"{page}.md", self.sources, None).made())


SMALL, LARGE = 2**20, 2**28
ROWS = [("cuda", "r02", 1e-5, {"n": SMALL}), ("hip", "r02", 1.25e-5, {"n": SMALL}), ("cuda", "r02", 1e-3, {"n": LARGE}),
        ("cuda", "r12", 1e-3, {"n": LARGE, "grid": 1056}), ("hip", "r12", 1e-3, {"n": LARGE, "grid": 792}),
        ("cuda", "r16", 1e-5, {"n": SMALL})]
RATIOS = "table: ratios records=made.jsonl of=hip to=cuda"


def both(*more):
    """Records of one run on two backends; r12 is wrong on the first."""
    lines = made.run_of("now", *ROWS, *more)
    next(line for line in lines if line["kind"] == "summary" and line["id"] == "3").update(wrong=5, count=0, median=None)
    return lines


class Readme(unittest.TestCase):
    def test_the_numbers_of_its_head_are_those_of_tables(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        devices = (ROOT / "docs" / "devices.md").read_text(encoding="utf-8")
        head = readme[:readme.index("| |")]
        speed = {rung: float(gbs) for rung, gbs in re.findall(r"^\| (r02|r30)_\S+ \| ([\d.]+) \|", readme, re.M)}
        self.assertIn(f"**The ladder is worth a factor of {speed['r30'] / speed['r02']:.3g}×**", head)
        of_ceiling = re.search(r"^\| r30_tuned \| [^|]+ \| ([^ |]+) \|", readme, re.M)[1]
        self.assertIn(f"to {of_ceiling} % of the read ceiling", head)
        h100, h200 = re.search(r"the toolkit's CUB, 2¹³ to 2²⁵, cold \| ([\d.]+) [^|]*\| ([\d.]+) ", devices).groups()
        self.assertIn(f"**r30 is {h100}× as fast as CUB 3.0** on an H100 and {h200}× on an H200", head)


class OfReport(unittest.TestCase):
    def test_a_page_can_show_some_rungs_and_columns_of_a_table_of_the_report(self):
        record = "docs/results/h100-7bae97e6/batch_rows.jsonl.gz"
        table = "batch-rows-nvidia_h100_80gb_hbm3-f32-sum-exact-cold-kernel"
        shown = docs.tables.report_table(source.Sources(ROOT), record, table, "b10:kokkos/cuda,library_cub_segmented",
                                         "rung,16,2^22")
        self.assertEqual(shown.heads, ["rung", "16", "2²²"])
        self.assertEqual([row["rung"].text for row in shown.rows], ["b10_tuned_batch", "library_cub_segmented, CUB 3.0.1"])
        self.assertIn(record, shown.note)

    def test_a_star_stands_for_all_files_that_fit(self):
        files = docs.spelled_out("docs/results/*/batch_*.jsonl.gz").split(",")
        self.assertIn("docs/results/h100-7bae97e6/batch_rows.jsonl.gz", files)


class Refused(Generator):
    """Comparisons without meaning are refused; uses made-up records."""

    def setUp(self):
        super().setUp()
        (self.folder / "docs").mkdir()
        for page in ("ladder.md", "past.md"):
            (self.folder / "docs" / page).touch()
        self.at(self.folder)

    def generated(self, words, records=None):
        made.write(self.folder / "made.jsonl", records or both())
        (self.folder / "README.md").write_text(f"<!-- {words} -->\n<!-- end -->\n")
        return run_main(docs.main)

    def refusal(self, words, records=None):
        status, text = self.generated(words, records)
        self.assertEqual(status, 1, text)
        return text

    def test_no_ratio_is_made_of_two_runs(self):
        separate = [*made.run_of("before", ROWS[1]), *made.run_of("now", ROWS[0])]
        for words in (RATIOS, "table: against records=made.jsonl rungs=cuda:r02,hip:r02"):
            self.assertIn("no measurement with", self.refusal(words, separate))

    def test_two_problems_in_one_table_are_refused_and_a_missing_side_has_no_ratio(self):
        host = both(("cuda", "r02", 1e-5, {"n": SMALL, "scope": "host"}))
        self.assertIn("narrow the selection", self.refusal(RATIOS, host))
        more = both(*((backend, "r03", 1e-3, {"n": LARGE}) for backend in ("cuda", "hip")))
        status, text = self.generated(RATIOS, more)
        self.assertEqual(status, 0, text)
        self.assertIn("| r03_interleaved_strided |  | 1.00 |", (self.folder / "README.md").read_text())

    def test_a_drawing_of_times_is_of_what_was_right_and_beside_a_ceiling(self):
        (self.folder / "bench" / "report").mkdir(parents=True)
        for rungs, said in (("r02,r12", "r12 at 2²⁸ on cuda wrong: no figure"), ("r02", "no ceiling was measured beside r02"),
                            ("r02,r31", "no measurement with")):
            self.assertIn(said, self.refusal(f"figure: times-made records=made.jsonl backend=cuda rungs={rungs}"))

    def test_a_step_of_another_backend_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "cannot be shown on hip"):
            steps.step(source.Sources(self.folder), {"r02": {"base": "", "slug": "a"}}, "r02", "made.jsonl", backend="hip")
