#!/usr/bin/env python3
"""That tools/docs.py --check notices what it is there for, tried on a copy of the pages; that what compares is right."""

import contextlib
import functools
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
from report.pages import source, steps  # noqa: E402
from report.sections import published  # noqa: E402


class Generator(unittest.TestCase):
    """tools/docs.py in this process, on the pages below another root than its own."""

    def at(self, root):
        file = root / published.PLACE
        for patch in (unittest.mock.patch.object(docs, "ROOT", root), unittest.mock.patch.object(published, "FILE", file)):
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


class Cited(unittest.TestCase):
    """What a table says of its records, of a run that is made up."""

    def of(self, configurations=(), command=()):
        cited = source.Source.__new__(source.Source)
        cited.path = "made.jsonl.gz"
        cited.ceilings = {place: {"configuration": text} for place, text in enumerate(configurations)}
        cited.run = {"devices": [], "command": ["/somewhere/ladder", *command], "processes": 1,
                     "date": "2026-11-25T12:00:00", "commit": "abc"}
        return cited

    def test_a_ceiling_is_of_what_read_fastest_in_most_processes(self):
        for configurations, text in (("aa", "a"), ("abb", "b; so in 2 of 3 processes, by another in the rest"),
                                     ("abcb", "b; so in 2 of 4 processes, by 2 others in the rest")):
            with self.subTest(configurations):
                self.assertEqual(self.of(configurations).swept_with(range(len(configurations))), text)

    def test_a_command_is_told_without_the_folders_of_that_time(self):
        words = ["--data=file:/somewhere/wide.f32.raw", "--sizes=2^20", "--records=/somewhere/else/wide.part"]
        self.assertIn("`ladder --data=file:wide.f32.raw --sizes=2^20 --records=wide.part`", self.of(command=words).source())


class Generate(Generator):
    """The pages and records as they are; the records are read, and the figures drawn, for the first case alone."""

    LADDER = [f"--ladder={os.environ['LADDER']}"] if "LADDER" in os.environ else []  # without: no tables of rungs

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.copy = pathlib.Path(cls.folder.name)
        shutil.copytree(ROOT / "docs", cls.copy / "docs", copy_function=os.link if same_device(cls.copy) else shutil.copy)
        for page in cls.copy.rglob("*.md"):  # these are written to below
            text = page.read_text()
            page.unlink()
            page.write_text(text)
        shutil.copytree(ROOT / "bench" / "report", cls.copy / "bench" / "report")
        shutil.copy(ROOT / "README.md", cls.copy)
        for quoted in ("cuda", "hip", "cpu", "common", "cmake"):
            shutil.copytree(ROOT / quoted, cls.copy / quoted)
        cls.sources = source.Sources(cls.copy)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.at(self.copy)
        shared = unittest.mock.patch.object(docs, "Sources", lambda root: self.sources)
        shared.start()
        self.addCleanup(shared.stop)

    def check(self):
        return self.generate("--check", *self.LADDER)

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

    def test_figures_are_looked_at_where_they_can_be_drawn(self):
        figures = self.copy / "docs" / "results" / "figures"
        drawn = sorted(figures.glob("*.svg"))
        before = drawn[0].read_text()
        drawn[0].unlink()  # it may be a link to the committed one
        drawn[0].write_text(before.replace("r16 vectorized", "r16 vectorised"))
        (figures / "of_no_page.svg").write_text(before)
        self.addCleanup(drawn[0].write_text, before)
        self.addCleanup((figures / "of_no_page.svg").unlink)
        status, text = self.check()
        if "Figures were not looked at" in text:
            self.skipTest(text)
        self.assertEqual(status, 1, text)
        self.assertEqual(sorted(line.split(":")[0] for line in text.splitlines() if "is stale" in line),
                         sorted(str(path.relative_to(self.copy)) for path in (drawn[0], figures / "of_no_page.svg")))

    def test_the_committed_pages_are_fresh(self):
        status, text = self.check()
        self.assertEqual(status, 0, text)
        self.assertNotIn("stale", text)

    def test_records_of_a_machine_that_no_page_names_are_stale(self):
        folder = self.copy / "docs" / "results" / "new"
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(ROOT / "docs" / "results" / "xeon-16" / "kokkos.jsonl.gz", folder)
        status, text = self.check()
        self.assertEqual((status, [line for line in text.splitlines() if "stale" in line]),
                         (1, ["docs/results/README.md: is stale: run tools/docs.py"]))

    def test_a_changed_cell_is_stale(self):
        status, text = self.with_page("docs/published.md", lambda page: page.replace("| r04_", "| r05_", 1))
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

    def test_a_changed_trace_of_a_rung_makes_its_drawing_stale(self):
        trace = self.copy / "docs" / "data" / "patterns.csv"
        before = trace.read_text()
        trace.unlink()  # it may be a link to the committed one
        trace.write_text(before.replace("@s3", "@s2"))
        self.addCleanup(trace.write_text, before)
        status, text = self.check()
        self.assertEqual(status, 1, text)
        self.assertIn("docs/results/figures/pattern-r04.svg: is stale", text)
        self.assertIn("docs/ladder.md: is stale", text)  # the words

    def test_a_rung_without_a_drawing_is_told(self):
        if "LADDER" not in os.environ:
            self.skipTest("the environment names no LADDER")
        status, text = self.with_page("docs/ladder.md", lambda page: page.replace("figure: pattern-r14 ", "figure: pattern-r15 "))
        self.assertNotEqual(status, 0)
        self.assertIn("no drawing of r14", text)

    def test_a_rung_without_its_step_is_told(self):
        if "LADDER" not in os.environ:
            self.skipTest("the environment names no LADDER")
        status, text = self.with_page("docs/ladder.md",
                                      lambda page: page.replace("table: step rung=r14 ", "table: step rung=r15 "))
        self.assertNotEqual(status, 0)
        self.assertIn("no step of r14", text)

    def test_a_rung_without_its_section_past_the_published_is_told(self):
        if "LADDER" not in os.environ:
            self.skipTest("the environment names no LADDER")
        status, text = self.with_page("docs/past.md", lambda page: page.replace("### r23 cluster\n", "### clusters\n"))
        self.assertNotEqual(status, 0)
        self.assertIn("no step of r23, nor is it a section of docs/past.md", text)

    def test_a_line_that_is_quoted_and_no_longer_there_is_told(self):
        source = self.copy / "hip" / "atomics.hpp"
        text = source.read_text()
        try:
            source.write_text(text.replace("unsafeAtomicAdd", "atomicAdd"))
            self.assertIn("hip/atomics.hpp: no line has", self.check()[1])
        finally:
            source.write_text(text)

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


KOKKOS = "kokkos/cuda"


def made(backend, rung, n, median, run="now", **fields):
    """A measurement and its summary, as a records file has them."""
    key = f"{run} {backend} {rung} {n} {sorted(fields.items())}"
    measurement = {"kind": "measurement", "run": run, "id": key, "backend": backend, "rung": rung,
                   "slug": "" if rung.startswith("library") else "slug", "library": rung.startswith("library"), "type": "f32",
                   "op": "sum", "n": n, "block": 256, "grid": None, "items": None, "workers": None, "data": "exact",
                   "place": None, "scope": "kernel", "cache": "cold", "bytes": 4 * n, "launches": 2, "registers": 20,
                   "shared_bytes": 1024, "blocks_per_sm": 8, "limiter": "threads"}
    summary = {"kind": "summary", "run": run, "id": key, "count": 9, "wrong": 0, "failed": 0}
    if median is None:
        summary.update(count=0, wrong=9)
    else:
        summary.update(median=median, uncertainty=1e-4, p5=median, p95=median, step=None, cumulative=None)
    return [{**measurement, **fields}, summary]


def begun(run="now", *more):
    device = {"backends": ["cuda", KOKKOS], "name": "a device", "kind": "gpu", "peak_gbs": 1000.0, "space": "cuda:0"}
    return [{"kind": "run", "run": run, "schema": 2, "date": "2026-01-01", "commit": "abc", "command": ["ladder", *more],
             "axes": ["block", "grid", "items", "workers"], "types": {"f32": {"words": "float", "bytes": 4}},
             "devices": [device]}]


def evidence(backend, grid):
    return {"kind": "evidence", "run": "now", "rung": "r00", "backend": backend, "type": "f32", "op": "sum", "n": SMALL,
            "facts": {}, "grid": grid}


SMALL, LARGE = 2**20, 2**28
BOTH = [*begun(),
        *made("cuda", "r02", SMALL, 1e-5), *made("cuda", "r02", LARGE, 1e-3),
        *made("cuda", "r12", SMALL, 1e-5, grid=1056), *made("cuda", "r12", LARGE, None, grid=1056),
        *made("cuda", "r16", SMALL, 1e-5), *made("cuda", "library_cub", SMALL, 8e-6, block=None),
        *made(KOKKOS, "r02", SMALL, 1.25e-5, registers=24), *made(KOKKOS, "r02", LARGE, 1.02e-3),
        *made(KOKKOS, "r12", SMALL, 1e-5, grid=792, blocks_per_sm=6, limiter="registers"),
        *made(KOKKOS, "r12", LARGE, 1e-3, grid=792), *made(KOKKOS, "library_range", SMALL, 1.6e-5, block=None)]
RATIOS = f"ratios records=made.jsonl of={KOKKOS} to=cuda"


class Compared(Generator):
    """What is held against each other across backends, on records made up here, in a repository with one page."""

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
        self.page = self.root / "README.md"
        self.at(self.root)

    def write(self, records, page):
        (self.root / "made.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        self.page.write_text(page)

    def filled(self, records, page):
        self.write(records, page)
        status, text = self.generate()
        self.assertEqual(status, 0, text)
        return self.page.read_text()

    def table(self, words, records=BOTH):
        return self.filled(records, f"<!-- table: {words} -->\n<!-- end -->\n")

    def figure(self, words, records=BOTH):
        filled = self.filled(records, f"It is <!-- = {words} records=made.jsonl --><!-- /= -->.\n")
        return re.search(r"-->(.*?)<!-- /= -->", filled)[1]

    def refusal(self, words, records=BOTH):
        page = f"It is <!-- {words} --><!-- /= -->.\n" if words.startswith("=") else f"<!-- {words} -->\n<!-- end -->\n"
        self.write(records, page)
        status, text = self.generate()
        self.assertEqual(status, 1, text)
        self.assertNotIn("Traceback", text)
        return text

    def test_a_ratio_is_the_speed_as_a_part_of_the_other(self):
        table = self.table(RATIOS)
        self.assertIn("| rung | 2²⁰ | 2²⁸ | tuning |", table)
        self.assertIn("| r02_slug | **0.800** | 0.980 | block 256 |", table)
        self.assertIn("Records: `made.jsonl`", table)

    def several(self):
        """Three processes: Kokkos is as fast in r02 and 2 % faster in r12, and in r16 not measured."""
        lines = []
        for index, drift in enumerate((1.0, 1.1, 1.2), 1):
            [run] = begun(f"p{index}")
            lines.append(run | {"process": {"group": "p1", "index": index, "of": 3}})
            for backend, rung, seconds in (("cuda", "r02", 1e-5), (KOKKOS, "r02", 1e-5 * (0.99, 1.01, 1.0)[index - 1]),
                                           ("cuda", "r12", 1.02e-5), (KOKKOS, "r12", 1e-5 * (1.001, 1, 1)[index - 1]),
                                           ("cuda", "r16", 1e-5), ("cuda", "library_cub", 1e-5)):
                some = made(backend, rung, SMALL, seconds * drift, run=f"p{index}")
                lines += [line | {"id": f"{backend} {rung}"} for line in some]
        return lines

    def test_ratios_whose_interval_leaves_1_out_are_counted_and_named(self):
        table = self.table(f"outside records=made.jsonl of={KOKKOS} to=cuda", self.several())
        self.assertIn("| 2²⁰ | 2 | 1 | 0.10 | 1.01 | r12 +2 % |", table)
        for words, said in (("2^20", f"1 of 2 (r12 at 2²⁰), {KOKKOS} the faster one in 1"), ("2^20 without=r12", "0 of 1")):
            self.assertEqual(self.figure(f"outside {KOKKOS} cuda {words}", self.several()), said)
        self.assertEqual(self.figure(f"outside cuda {KOKKOS} 2^20", self.several()),
                         "1 of 2 (r12 at 2²⁰), cuda the faster one in none")
        self.assertIn("is of one process, and has no interval",
                      self.refusal(f"table: outside records=made.jsonl of={KOKKOS} to=cuda"))

    def test_where_something_else_is_wholly_faster_is_counted(self):
        for words, said in (("r12 0", "1 of 1 (r02, r16 and library_cub at 2²⁰, f32 sum)"), ("r12 1.9", "1 of 1 "),
                            ("r12 2.1", "0 of 1"), ("r16 0", "0 of 1"), (f"{KOKKOS}:r02 0", "0 of 1")):
            self.assertTrue(self.figure(f"behind {words} backend=cuda", self.several()).startswith(said), words)
        self.assertIn("is of one process, and has no interval",
                      self.refusal("= behind cuda:r02 0 records=made.jsonl"))
        self.assertIn("no measurement of r31 on cuda", self.refusal("= behind cuda:r31 0 records=made.jsonl", self.several()))

    def test_what_is_not_under_nine_tenths_as_shown_is_not_bold(self):
        line = [*begun(), *made("cuda", "r02", SMALL, 0.89999e-5), *made(KOKKOS, "r02", SMALL, 1e-5),
                *made("cuda", "r02", LARGE, 0.899e-3), *made(KOKKOS, "r02", LARGE, 1e-3)]
        self.assertIn("| r02_slug | 0.900 | **0.899** |", self.table(RATIOS, line))

    def test_another_grid_is_marked_and_said(self):
        table = self.table(RATIOS)
        self.assertIn("| r12_slug | 1.00 * |", table)
        self.assertIn("r12 has 792 blocks on kokkos/cuda, 1056 on cuda", table)
        self.assertNotIn("r02 has", table)

    def test_a_wrong_measurement_has_no_ratio(self):
        self.assertIn("| **wrong on cuda** | block 256, grid 792 |", self.table(RATIOS))

    def test_a_missing_side_is_named(self):
        table = self.table(RATIOS, [*BOTH, *made("cuda", "r02", 4096, 1e-6)])
        self.assertIn("| rung | 2¹² | 2²⁰ | 2²⁸ |", table)
        self.assertIn("| r02_slug | not on kokkos/cuda |", table)
        self.assertIn("| r12_slug | not measured |", table)

    def test_only_rungs_that_both_have_and_no_library(self):
        shared = [*BOTH, *made("cuda", "library_both", SMALL, 1e-5), *made(KOKKOS, "library_both", SMALL, 1e-5)]
        table = self.table(RATIOS, shared)
        self.assertNotIn("| r16_slug", table)
        self.assertNotIn("| library", table)

    def test_another_tuning_is_another_line(self):
        table = self.table(RATIOS, [*BOTH, *made(KOKKOS, "r02", SMALL, 1e-5, block=512)])
        self.assertIn("| r02_slug | **0.800** | 0.980 | block 256 |", table)
        self.assertIn("| r02_slug | not on cuda | not measured | block 512 |", table)

    def test_another_process_is_refused(self):
        separate = [*begun("before"), *made(KOKKOS, "r02", SMALL, 1e-5, run="before"),
                    *begun(), *made("cuda", "r02", SMALL, 1e-5)]
        for words in ("table: " + RATIOS, f"= between {KOKKOS}:r02 cuda:r02 2^20 records=made.jsonl"):
            self.assertIn("no ratio is made of two", self.refusal(words, separate))

    def test_a_measurement_of_another_process_is_a_missing_one(self):
        line = [*begun("before"), *made(KOKKOS, "r02", LARGE, 1e-3, run="before"), *begun(),
                *(one for n in (SMALL, LARGE) for one in made("cuda", "r02", n, 1e-3)), *made(KOKKOS, "r02", SMALL, 1e-3)]
        self.assertIn("| not on kokkos/cuda | block 256 |", self.table(RATIOS, line))

    def test_a_process_that_went_on_where_another_ended_is_refused(self):
        self.assertIn("was resumed", self.refusal("table: " + RATIOS, [*begun("now", "--resume"), *BOTH[1:]]))

    def test_two_problems_in_one_table_are_refused(self):
        line = [*BOTH, *made("cuda", "r02", SMALL, 1e-5, scope="host")]
        self.assertIn("narrow the selection with scope=", self.refusal("table: " + RATIOS, line))

    def test_figures_across_backends(self):
        self.assertEqual(self.figure(f"between {KOKKOS}:r02 cuda:library_cub 2^20"), "0.640×")
        self.assertEqual(self.figure(f"mean {KOKKOS}:r02 cuda:r02 2^20 2^20"), "1.25×")
        self.assertEqual(self.figure(f"mean cuda:r02 {KOKKOS}:r02 2^20 2^20"), "0.80×")
        self.assertEqual(self.figure(f"least cuda:r02 {KOKKOS}:r02 2^20 2^20"), "0.800× at 2²⁰")
        self.assertEqual(self.figure(f"reaches 1.25 mean {KOKKOS}:r02 cuda:r02 2^20 2^20"), "1.25×")
        self.assertEqual(self.figure(f"reaches 1.3 mean {KOKKOS}:r02 cuda:r02 2^20 2^20"), "**1.25×**")
        self.assertEqual(self.figure(f"within 1.2 mean {KOKKOS}:r02 cuda:r02 2^20 2^20"), "**1.25×**")
        self.assertEqual(self.figure(f"cases {KOKKOS}:r02 cuda:r02 2^20"), "1.25×, least 1.25× (f32 sum)")
        self.assertEqual(self.figure(f"gbs r02 2^20 backend={KOKKOS}"), "335.5 GB/s")

    def test_figures_of_a_whole_file(self):
        ends = [{"kind": "conditions", "run": "now", "at": at, "space": space, "seconds": seconds, "facts": {}}
                for at, space, seconds in (("start", "cuda:0", 9.0), ("end", "cuda:0", 90.0), ("end", "host", 89.0))]
        same = [{"kind": "same_code", "run": "now", "rung": rung, "kernels": 12, "identical": count}
                for rung, count in (("r00", 12), ("r01", 11))]
        lines = [*BOTH, *ends, *same]
        for words, shown in (("minutes", "1.5 min"), ("right", "10 of 11"), ("samples", "90"), ("identical", "23 of 24")):
            self.assertEqual(self.figure(words, lines), shown)
        self.assertIn("does not say how long it took", self.refusal("= minutes records=made.jsonl"))
        self.assertIn("no records of kind same_code", self.refusal("= identical records=made.jsonl"))

    def test_a_figure_of_what_was_wrong_is_refused(self):
        for words in ("between cuda:r02 cuda:r12 2^28", "time r12 2^28 backend=cuda"):
            self.assertIn("r12 at 2²⁸ on cuda wrong: no figure", self.refusal(f"= {words} records=made.jsonl"))

    def test_a_drawing_of_times_is_of_what_was_right_and_beside_a_ceiling(self):
        (self.root / "bench" / "report").mkdir(parents=True)
        (self.root / "bench" / "report" / "requirements.txt").touch()  # whatever draws will do
        drawing = "figure: times-made records=made.jsonl backend=cuda rungs="
        self.assertIn("r12 at 2²⁸ on cuda wrong: no figure", self.refusal(drawing + "r02,r12"))
        self.assertIn("no ceiling was measured beside r02", self.refusal(drawing + "r02"))
        self.assertIn("no measurement with", self.refusal(drawing + "r02,r31"))

    def test_a_figure_that_names_no_backend_is_refused_where_there_are_two(self):
        self.assertIn("holds cuda and kokkos/cuda", self.refusal("= time r02 2^20 records=made.jsonl"))
        self.assertIn("say cuda:r02", self.refusal("= between r02 cuda:r02 2^20 records=made.jsonl"))
        self.assertIn("holds cuda and kokkos/cuda", self.refusal("= time r16 2^20 records=made.jsonl"))  # though one has it

    def test_a_figure_of_an_unknown_kind_is_told(self):
        self.assertIn("no figure of the kind 'tmie'", self.refusal("= tmie r02 2^20 backend=cuda records=made.jsonl"))

    def test_rungs_against_the_first_named(self):
        table = self.table(f"against records=made.jsonl rungs=library_range,r02,r12 backend={KOKKOS} n=2^20,2^28")
        self.assertIn("| n | rung | tuning | time | GB/s | against library_range |", table)
        self.assertIn("| 2²⁰ | library_range |  | 16.00 µs | 262.1 |  |", table)
        self.assertIn("| 2²⁰ | r02_slug | block 256 | 12.50 µs | 335.5 | 1.28× |", table)
        self.assertIn("| 2²⁸ | library_range |  | not measured |  |  |", table)
        self.assertIn("| 2²⁸ | r02_slug | block 256 | 1.020 ms | 1053 | - |", table)

    def test_rungs_of_several_backends_against_the_first_named(self):
        table = self.table(f"against records=made.jsonl rungs=cuda:r12,{KOKKOS}:r12,cuda:r02")
        self.assertIn("| n | backend | rung | tuning | time | GB/s | against r12 on cuda |", table)
        self.assertIn("| 2²⁸ | cuda | r12_slug | block 256, grid 1056 | **wrong** |  |  |", table)
        self.assertIn("| 2²⁸ | kokkos/cuda | r12_slug | block 256, grid 792 | 1.000 ms | 1074 | - |", table)

    def test_facts_beside_each_other(self):
        table = self.table(f"facts_of records=made.jsonl backends=cuda,{KOKKOS} n=2^20")
        self.assertIn("| r02_slug | 256 | - | - | 2 | 20 → 24 | 1024 | 8 (threads) |", table)
        self.assertIn("| r12_slug | 256 | - | 1056 → 792 | 2 | 20 | 1024 | 8 (threads) → 6 (registers) |", table)
        self.assertNotIn("library_cub", table)

    def test_facts_that_are_not_one_are_refused(self):
        text = self.refusal(f"table: facts_of records=made.jsonl backends=cuda,{KOKKOS}")
        self.assertIn("r02 on kokkos/cuda is not the same", text)

    def test_tables_of_several_backends_say_which(self):
        right = [one for one in BOTH if "r12" not in one.get("id", "")]
        self.assertIn("| cuda | r02_slug |", self.table("sizes records=made.jsonl value=gbs", right))
        self.assertIn("| kokkos/cuda | r02_slug |", self.table("problem records=made.jsonl n=2^20", right))
        self.assertIn("| kokkos/cuda | r02_slug |", self.table("verdicts records=made.jsonl", right))
        self.assertIn("| kokkos/cuda | r02_slug |", self.table("occupancy records=made.jsonl n=2^20 rung=r02", right))
        self.assertIn("kernel scope, cuda: GB/s", self.table("sizes records=made.jsonl value=gbs backend=cuda", right))

    def test_a_step_is_of_cuda(self):
        self.write([*BOTH, evidence("cuda", 7),
                    evidence(KOKKOS, 8),
                    *made("cuda", "r00", SMALL, 1e-5), *made(KOKKOS, "r00", SMALL, 2e-5)], "")
        files, made_here = source.Sources(self.root), "made.jsonl"
        ladder = {"r00": {"base": "", "slug": "atomic_per_element"}}
        step = steps.step(files, ladder, "r00", made_here, evidence=made_here, facts="grid", n="2^20")
        self.assertIn("| 2²⁰ | 10.00 µs |", step)
        self.assertIn("| blocks launched | 7 |", step)
        with self.assertRaisesRegex(SystemExit, "cannot be shown on kokkos/cuda"):
            steps.step(files, ladder, "r00", made_here, n="2^20", backend=KOKKOS)

    def test_a_step_has_the_predictions_of_its_type_and_may_stand_beside_another_rung(self):
        self.write([*BOTH, evidence("cuda", 7), {**evidence("cuda", 9), "rung": "r12"},
                    {**evidence("cuda", 5), "rung": "r12", "type": "i32"}], "")
        (self.root / "docs" / "predictions.csv").write_text(
            "rung,against,type,n,factor,because\nr12,r02,f32,1048576,1.1,So.\n"
            "r12,r02,f32,4096,1.2,Small.\nr12,r02,i32,1048576,3,No.\n")
        ladder = {"r02": {"base": "", "slug": "two"}, "r12": {"base": "r02", "slug": "twelve"}}
        step = steps.step(source.Sources(self.root), ladder, "r12", "made.jsonl", evidence="made.jsonl", facts="grid", n="2^20",
                          beside="r00", type="f32")
        self.assertIn("Predicted against r02 at 2²⁰: 1.1×. So. Measured: 1.00×.", step)
        self.assertIn("1.2×. Small. Not measured at this size.", step)
        self.assertNotIn("No.", step)
        self.assertIn("| evidence | r00 | r12 |", step)
        self.assertIn("| blocks launched | 7 | 9 |", step)

    def test_a_step_of_the_cpu_has_both_loops(self):
        self.write([*BOTH, *made("cuda", "c05", SMALL, 2e-5), *made("cuda", "c06", SMALL, 1e-5)], "")
        (self.root / "docs" / "data").mkdir(parents=True, exist_ok=True)
        for name in steps.LOOPS.values():
            (self.root / name).write_text(
                "rung,type,op,vectors,elements,instructions an element,bytes,chains,operations in a row,prefetches\n"
                "c05,f32,sum,none,8,1.38,4,1,8,0\nc06,f32,sum,none,8,0.50,32,2,1,0\nc06,f64,sum,none,4,1.00,32,3,1,0\n")
        ladder = {"c05": {"base": "c04"}, "c06": {"base": "c05"}}
        step = steps.host_step(source.Sources(self.root), ladder, "c06", "made.jsonl", "2^20", backend="cuda")
        self.assertIn("| 2²⁰ | 10.00 µs |", step)
        self.assertIn("| against c05 |", step)
        self.assertIn("| chains | 1 | 2 |", step)
        with self.assertRaisesRegex(SystemExit, "no measurement with"):
            steps.host_step(source.Sources(self.root), ladder, "c05", "made.jsonl", "2^20")

    def test_a_ratio_may_be_of_other_sizes_in_other_shares(self):
        lines = [line for shares, n, time in ((1, SMALL, 1e-5), (2, 2 * SMALL, 2e-5))
                 for line in made("cuda", "m02", n, time, shares=shares)]
        run = {**BOTH[0], "axes": [*BOTH[0]["axes"], "shares"]}
        self.write([run, *BOTH[1:], *lines, *made("cuda", "r30", SMALL, 4e-5, shares=None)], "")
        sources, defaults = source.Sources(self.root), {"records": "made.jsonl"}
        self.assertEqual(steps.inline(sources, defaults, "shares cuda:m02 2^21 2 cuda:m02 2^20 1"), "2.00×")
        self.assertEqual(steps.inline(sources, defaults, "shares cuda:m02 2^21 2 cuda:r30 2^20 0"), "0.500×")

    def test_figures_in_prose_tell_what_is_saved_and_facts_of_a_type(self):
        self.write([*BOTH, evidence("cuda", 7), {**evidence("cuda", 5), "type": "i32"}, *made("cuda", "r10", SMALL, 1.25e-5),
                    *made("cuda", "r11", SMALL, 2e-5)], "")
        files, defaults = source.Sources(self.root), {"type": "f32", "backend": "cuda", "cache": "cold"}
        told = functools.partial(steps.inline, files, defaults)
        self.assertEqual(told("saved r11 r10 2^20 records=made.jsonl"), "7.50")
        self.assertEqual(told("saved r10 r11 2^20 records=made.jsonl"), "-7.50")
        self.assertEqual(told("saved r11 r11 2^20 records=made.jsonl"), "0")
        rung = evidence("cuda", 7)["rung"]
        self.assertEqual(told(f"fact {rung} grid records=made.jsonl evidence=made.jsonl type=i32"), "5")
        self.assertEqual(told(f"fact {rung} grid records=made.jsonl evidence=made.jsonl type=f32"), "7")

    def test_the_best_library_is_another_at_each_size(self):
        sizes = (1 << 22, 1 << 23)
        times = {"c13": (1e-5, 2e-5), "library_a": (2e-5, 9e-5), "library_b": (3e-5, 3e-5)}
        lines = [line for rung, of in times.items() for n, time in zip(sizes, of) for line in made("cuda", rung, n, time)]
        self.write([*BOTH, *lines], "")
        measured = source.Sources(self.root)["made.jsonl"]
        self.assertIn("(a)", steps.against_best(measured, "c13", "2^22", backend="cuda"))
        both = steps.against_best(measured, "c13", "2^22", "2^23", backend="cuda")
        self.assertRegex(both, r"^1\.73×, least 1\.50+× at 2²³ \(b\)$")

    def test_the_kinds_of_records_are_what_the_program_says(self):
        page = "<!-- table: kinds -->\n\nas it was\n\n<!-- end -->\n"
        self.write(BOTH, page)
        for kinds in ([{"kind": "floor", "says": "what an empty launch takes"}], None):
            ladder = self.root / "ladder"
            told = {"ladders": {"device": [], "cpu": []}} | ({"kinds": kinds} if kinds else {})
            ladder.write_text(f"#!/bin/sh\necho '{json.dumps(told)}'\n")
            ladder.chmod(0o755)
            self.page.write_text(page)
            status, text = self.generate(f"--ladder={ladder}")
            self.assertEqual(status, 0, text)
            self.assertIn("| `floor` | what an empty launch takes |" if kinds else "as it was", self.page.read_text())
            self.assertEqual("tables were not looked at: kinds (this ladder does not tell them)" in text, kinds is None)

    def test_contents_link_to_the_headings_of_the_page(self):
        page = ("# A page\n\n<!-- table: contents depth=3 -->\n<!-- end -->\n\n## Cold, and hot\n\n```\n## no heading\n```\n\n"
                "### r04 one_change\n\n### r05 two\n\n#### deeper\n\n## Last\n")
        self.assertIn("\n- [Cold, and hot](#cold-and-hot): [r04 one_change](#r04-one_change) · [r05 two](#r05-two)\n"
                      "- [Last](#last)\n\n<!-- end -->", self.filled(BOTH, page))

    def test_stale_pages_are_noticed(self):
        figure = f"<!-- = between {KOKKOS}:r02 cuda:r02 2^20 records=made.jsonl --><!-- /= -->"
        page = f"<!-- table: {RATIOS} -->\n<!-- end -->\n\nIt is {figure}.\n"
        filled = self.filled(BOTH, page)
        self.assertEqual(self.generate("--check"), (0, ""))
        for before, after in (("| **0.800** |", "| 0.800 |"), ("-->0.800×<", "-->0.900×<")):
            self.assertIn(before, filled)
            self.page.write_text(filled.replace(before, after))
            self.assertEqual(self.generate("--check"), (1, "README.md: is stale: run tools/docs.py\n"))
        self.write([*BOTH, *made("cuda", "r02", 4096, 1e-6)], filled)
        self.assertEqual(self.generate("--check")[0], 1, "new records")


def same_device(folder):
    return folder.stat().st_dev == (ROOT / "docs").stat().st_dev


if __name__ == "__main__":
    unittest.main()
