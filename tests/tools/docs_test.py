#!/usr/bin/env python3
"""tools/docs.py: the committed pages are what the records make them, --check notices what is not, and what cannot be said of
records is refused. That numbers are right is what the committed pages hold: each kind of table is in one of them."""

import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import docs  # noqa: E402  (it ends the test where something is not installed)
from report.pages import published, source, steps  # noqa: E402

LADDER = [f"--ladder={os.environ['LADDER']}"] if "LADDER" in os.environ else []  # without: no tables of rungs


class Generator(unittest.TestCase):
    """tools/docs.py in this process, on the pages below another root than its own."""

    def at(self, root):
        for patch in (*(unittest.mock.patch.object(module, "ROOT", root) for module in (docs, docs.tables)),
                      unittest.mock.patch.object(published, "FILE", root / published.PLACE)):
            patch.start()
            self.addCleanup(patch.stop)

    def generate(self, *arguments):
        """(exit status, what was printed)"""
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                return docs.main(arguments), printed.getvalue()
        except SystemExit as ended:  # with a sentence
            return 1, printed.getvalue() + ended.code


class Committed(Generator):
    """A copy of the pages and the records; the records are read for the first test alone."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.copy = pathlib.Path(folder.name)
        for name in ("docs", "bench/report", "cuda", "hip", "cpu", "common", "cmake"):
            shutil.copytree(ROOT / name, cls.copy / name)
        shutil.copytree(ROOT / "tools", cls.copy / "tools", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
        shutil.copy(ROOT / "README.md", cls.copy)
        cls.sources = source.Sources(cls.copy)

    def setUp(self):
        self.at(self.copy)
        sources = unittest.mock.patch.object(docs, "Sources", lambda root: self.sources)
        sources.start()
        self.addCleanup(sources.stop)

    def change(self, name, before, after):
        path = self.copy / name
        text = path.read_text()
        self.assertIn(before, text)
        path.write_text(text.replace(before, after, 1))
        self.addCleanup(path.write_text, text)

    def test_the_committed_pages_are_fresh(self):
        status, text = self.generate("--check", *LADDER)
        self.assertEqual(status, 0, text)
        self.assertNotIn("stale", text)

    def test_whatever_is_changed_is_stale(self):
        figures = self.copy / "docs" / "results" / "figures"
        self.change("docs/published.md", "| r04_", "| r05_")  # a cell
        self.change("docs/past.md", "| r28_fixed_tree | block 256", "| r28_fixed_tree | block 512")
        figure = re.search(r"<!-- = ratio r02 r30 2\^30 -->[^<]*", (self.copy / "docs" / "artifact.md").read_text())[0]
        self.change("docs/artifact.md", figure, "<!-- = ratio r02 r30 2^30 -->12.3")  # in prose
        self.change("docs/data/patterns.csv", "r04,add,0,0,1,0,", "r04,add,0,1,1,0,")  # a drawing
        self.change("docs/results/figures/times-h100-hot.svg", 'data-mark="', 'data-mark="1')  # a chart of something else
        (figures / "of_no_page.svg").write_text("<svg/>")
        self.addCleanup((figures / "of_no_page.svg").unlink)
        folder = self.copy / "docs" / "results" / "new"  # records that no page names
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(ROOT / "docs" / "results" / "xeon-16" / "kokkos.jsonl.gz", folder)
        status, text = self.generate("--check", *LADDER)
        self.assertEqual(status, 1)
        for name in ("docs/published.md", "docs/past.md", "docs/artifact.md", "docs/results/figures/pattern-r04.svg",
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
    def test_a_rung_without_its_drawing_its_step_or_its_section_and_figures_without_a_table_are_told(self):
        for page, before, after, said in (
                ("docs/ladder.md", "figure: pattern-r14 ", "figure: pattern-r15 ", "no drawing of r14"),
                ("docs/ladder.md", "table: step rung=r14 ", "table: step rung=r15 ", "no step of r14"),
                ("docs/past.md", "### r23 cluster\n", "### clusters\n", "no step of r23, nor is it a section of docs/past.md"),
                ("docs/published.md", "source=me964", "source=csc367", "no table of me964")):
            self.refused(page, before, after, said, lambda: docs.main(["--check", *LADDER]))

    def test_what_a_page_cannot_have_is_told(self):
        for page, before, after, said in (
                ("published", "table: steps_of", "table: stpes_of", "no table of the kind 'stpes_of'"),
                ("published", "<!-- end -->\n", "", "a '<!-- table:' without its end"),
                ("artifact", "<!-- = ratio r02 r30 2^30", "\n<!-- = ratio r02 r30 2^30", "a line begins with a figure"),
                ("artifact", "<!-- = ratio r02 r30 2^30 -->", "<!-- = ratio r02 r30 2^21 -->", "no measurement with")):
            self.refused(f"docs/{page}.md", before, after, said,
                         lambda page=page: docs.Page(self.copy / "docs" / f"{page}.md", self.sources, None).made())
        self.refused("common/gpu/platform.hpp", "unsafeAtomicAdd", "atomicAdd", "common/gpu/platform.hpp: no line has",
                     lambda: docs.tables.differences_table("hip"))


KOKKOS = "kokkos/cuda"
SMALL, LARGE = 2**20, 2**28


def made(backend, rung, n, median, run="now", **fields):
    """A measurement and its summary, as a records file has them."""
    key = f"{run} {backend} {rung} {n} {sorted(fields.items())}"
    measurement = {"kind": "measurement", "run": run, "id": key, "backend": backend, "rung": rung, "slug": "slug",
                   "library": False, "type": "f32", "op": "sum", "n": n, "block": 256, "grid": None, "items": None,
                   "workers": None, "data": "exact", "place": None, "scope": "kernel", "cache": "cold", "bytes": 4 * n,
                   "launches": 2, "registers": 20, "shared_bytes": 1024, "blocks_per_sm": 8, "limiter": "threads"}
    result = {"count": 0, "wrong": 9}
    if median is not None:
        result = {"count": 9, "wrong": 0, "median": median, "uncertainty": 1e-4, "p5": median, "p95": median}
    return [{**measurement, **fields}, {"kind": "summary", "run": run, "id": key, "failed": 0, **result}]


def begun(run="now", *more):
    device = {"backends": ["cuda", KOKKOS], "name": "a device", "kind": "gpu", "peak_gbs": 1000.0, "space": "cuda:0"}
    return [{"kind": "run", "run": run, "schema": 2, "date": "2026-01-01", "commit": "abc", "command": ["ladder", *more],
             "axes": ["block", "grid", "items", "workers"], "types": {"f32": {"words": "float", "bytes": 4}},
             "devices": [device]}]


BOTH = [*begun(), *made("cuda", "r02", SMALL, 1e-5), *made(KOKKOS, "r02", SMALL, 1.25e-5), *made("cuda", "r02", LARGE, 1e-3),
        *made("cuda", "r12", LARGE, None, grid=1056), *made(KOKKOS, "r12", LARGE, 1e-3, grid=792),
        *made("cuda", "r16", SMALL, 1e-5)]
RATIOS = f"table: ratios records=made.jsonl of={KOKKOS} to=cuda"


class OfReport(unittest.TestCase):
    def test_a_page_can_show_some_rungs_and_columns_of_a_table_of_the_report(self):
        record = "docs/results/h100-7bae97e6/batch_rows.jsonl.gz"
        table = "batch-rows-nvidia_h100_80gb_hbm3-f32-sum-exact-cold-kernel"
        shown = docs.tables.report_table(source.Sources(ROOT), record, table, "b10:kokkos/cuda,library_cub_segmented",
                                         "rung,16,2^22", "short")
        self.assertEqual(shown.heads, ["rung", "16", "2²²"])
        self.assertEqual([row[0].text for row in shown.rows], ["b10_tuned_batch", "library_cub_segmented, CUB 3.0.1"])
        self.assertIn(record, shown.note)

    def test_a_star_stands_for_all_files_that_fit(self):
        files = docs.spelled_out("docs/results/*/batch_*.jsonl.gz").split(",")
        self.assertIn("docs/results/h100-7bae97e6/batch_rows.jsonl.gz", files)


class Refused(Generator):
    """What no committed page can show: comparisons that mean nothing, on records made up here."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "docs" / "data").mkdir(parents=True)
        head, *_ = (ROOT / "docs" / "data" / "published.csv").read_text().splitlines()
        (self.root / "docs" / "data" / "published.csv").write_text(head + "\n")
        for page in ("ladder.md", "past.md", "published.md"):
            (self.root / "docs" / page).touch()
        (self.root / "docs" / "predictions.csv").write_text("rung,against,type,n,factor,because\n")
        self.at(self.root)

    def generated(self, words, records):
        page = f"It is <!-- {words} --><!-- /= -->.\n" if words.startswith("=") else f"<!-- {words} -->\n<!-- end -->\n"
        (self.root / "made.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        (self.root / "README.md").write_text(page)
        return self.generate()

    def refusal(self, words, records=BOTH):
        status, text = self.generated(words, records)
        self.assertEqual(status, 1, text)
        return text

    def table(self, words, records=BOTH):
        status, text = self.generated(words, records)
        self.assertEqual(status, 0, text)
        return (self.root / "README.md").read_text()

    def test_no_ratio_is_made_of_two_processes_or_of_one_that_went_on(self):
        separate = [*begun("before"), *made(KOKKOS, "r02", SMALL, 1e-5, run="before"),
                    *begun(), *made("cuda", "r02", SMALL, 1e-5)]
        for words in (RATIOS, f"= ratio cuda:r02 {KOKKOS}:r02 2^20 records=made.jsonl"):
            self.assertIn("no ratio is made of two", self.refusal(words, separate))
        self.assertIn("was resumed", self.refusal(RATIOS, [*begun("now", "--resume"), *BOTH[1:]]))

    def test_two_problems_in_one_table_are_refused_and_a_missing_side_has_no_ratio(self):
        host = made("cuda", "r02", SMALL, 1e-5, scope="host")
        self.assertIn("narrow the selection", self.refusal(RATIOS, [*BOTH, *host]))
        more = [*made("cuda", "r03", LARGE, 1e-3), *made(KOKKOS, "r03", LARGE, 1e-3)]
        self.assertIn("| r03_slug | – | 1.00 |", self.table(RATIOS, [*BOTH, *more]))

    def test_a_figure_of_what_was_wrong_or_of_no_backend_is_refused(self):
        for words in ("ratio cuda:r12 cuda:r02 2^28", "ceiling r12 2^28 backend=cuda"):
            self.assertIn("r12 at 2²⁸ on cuda wrong: no figure", self.refusal(f"= {words} records=made.jsonl"))
        for words in ("ceiling r02 2^20", "peak r16 2^20"):  # though one has it
            self.assertIn("holds cuda and kokkos/cuda", self.refusal(f"= {words} records=made.jsonl"))
        self.assertIn("no figure of the kind 'tmie'", self.refusal("= tmie r02 2^20 backend=cuda records=made.jsonl"))
        self.assertIn("does not say how long it took", self.refusal("= minutes records=made.jsonl"))

    def test_a_drawing_of_times_is_of_what_was_right_and_beside_a_ceiling(self):
        (self.root / "bench" / "report").mkdir(parents=True)
        for rungs, said in (("r02,r12", "r12 at 2²⁸ on cuda wrong: no figure"), ("r02", "no ceiling was measured beside r02"),
                            ("r02,r31", "no measurement with")):
            self.assertIn(said, self.refusal(f"figure: times-made records=made.jsonl backend=cuda rungs={rungs}"))

    def test_facts_that_are_not_one_and_a_step_of_another_backend_are_refused(self):
        twice = [*BOTH, *made("cuda", "r02", 4096, 1e-3, registers=24)]
        self.assertIn("is not the same", self.refusal(f"table: facts_of records=made.jsonl backends=cuda,{KOKKOS}", twice))
        self.generated(RATIOS, BOTH)
        ladder = {"r02": {"base": "", "slug": "a"}}
        with self.assertRaisesRegex(SystemExit, "cannot be shown on kokkos/cuda"):
            steps.step(source.Sources(self.root), ladder, "r02", "made.jsonl", n="2^20", backend=KOKKOS)


if __name__ == "__main__":
    unittest.main()
