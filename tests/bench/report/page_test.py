#!/usr/bin/env python3
"""bench/report: that the page and what lies beside it are right, say where each number comes from, and need nothing else.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import contextlib
import gzip
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import made
from cases import ONE_PROCESS, ROOT, Case, data_of, records, rows_of
from report import __main__ as program
from report import page
from report.sections import phi


def numbers_of(data):
    """(table and head, the lines it comes from) of every cell with a value, in all tables of a page."""
    for table in data["tables"]:
        for row in table["rows"]:
            for head, cell in list(zip(table["heads"], row, strict=True))[1:]:  # the first names its row
                # What was asked for is no result.
                if isinstance(cell, list) and cell[1] is not None and head not in ("n", "block", "grid", "items"):
                    yield f"{table['id']}, {head}", table["places"][cell[2]] if cell[2] >= 0 else ""


class Pages(Case):
    def test_every_number_names_the_lines_that_it_comes_from(self):
        path = made.write(self.folder / "a.jsonl", made.records())
        page.write(records.read([path]), self.folder / "out")
        for file in (self.folder / "out" / "tables").glob("ladder-*.csv"):
            for row in rows_of(file):
                for place in row["records"].split():
                    name, _, line = place.rpartition(":")
                    record = json.loads(pathlib.Path(name).read_text().splitlines()[int(line) - 1])
                    self.assertIn(record["kind"], ("measurement", "summary", "ceiling"))

    def test_no_two_things_on_the_page_have_one_name(self):
        study = self.read(made.records("a"), made.records("b", seed=2),
                          made.records("c", cache="hot", eviction=None, evicted_bytes=0))
        text = page.write(study, self.folder / "out").read_text()
        names = re.findall(r' id="([^"]*)"', text)
        self.assertEqual(sorted(names), sorted(set(names)))

    def test_a_page_needs_nothing_from_elsewhere(self):
        study = self.read(made.records())
        text = page.write(study, self.folder / "out").read_text()
        for mark in ('src="', "@import", "url(http", '<link rel="stylesheet'):
            self.assertNotIn(mark, text)
        self.assertEqual(re.findall(r'href="(?!#|data:)[^"]*"', text), [])

    def test_figures_have_words_and_numbers(self):
        study = self.read(made.records())
        page.write(study, self.folder / "out")
        figures = list((self.folder / "out" / "figures").glob("*.svg"))
        self.assertTrue(figures)
        for figure in figures:
            root = xml.etree.ElementTree.parse(figure).getroot()
            self.assertEqual(root.get("role"), "img")
            title = root.find("{http://www.w3.org/2000/svg}title")
            self.assertEqual(root.get("aria-labelledby"), title.get("id"))
            self.assertGreater(len(title.text), 40)

    def test_what_an_earlier_report_left_behind_goes(self):
        page.write(self.read(made.records()), self.folder / "out")
        (self.folder / "out" / "tables" / "old.csv").write_text("old")
        (self.folder / "out" / "tables" / "mine.txt").write_text("mine")
        page.write(self.read(made.records()), self.folder / "out")
        self.assertFalse((self.folder / "out" / "tables" / "old.csv").exists())
        self.assertTrue((self.folder / "out" / "tables" / "mine.txt").exists())

    def test_a_hundred_thousand_records_fit_into_a_gibibyte(self):
        path = self.folder / "many.jsonl"
        with open(path, "w") as file:
            count = 0
            for place in range(40):  # sizes, each of 4 measurements with 625 samples
                lines = made.records("r1", n=1 << 10 + place % 20, seed=1 + place // 20, bytes=4 << 10 + place % 20)
                for line in lines[(2 if place else 0):]:
                    if "id" in line:
                        line["id"] += f"-{place}"
                    for _ in range(125 if line["kind"] == "sample" else 1):
                        file.write(json.dumps(line) + "\n")
                        count += 1
        self.assertGreater(count, 100_000)
        script = ("import resource, runpy, sys; sys.argv = ['report', '--output', sys.argv[1], sys.argv[2]]\n"
                  "try: runpy.run_module('report', run_name='__main__')\n"
                  "except SystemExit as end: print(end.code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)")
        done = subprocess.run([sys.executable, "-c", script, self.folder / "out", path], cwd=ROOT / "bench", capture_output=True,
                              text=True)
        status, kibibytes = done.stdout.split()[-2:]
        self.assertEqual(status, "0", done.stdout + done.stderr)
        self.assertLess(int(kibibytes), 1 << 20)

    def test_the_program_tells_by_its_exit_status(self):
        def status(*lines):
            path = made.write(self.folder / "a.jsonl", [line for part in lines for line in part])
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                return program.main([f"--output={self.folder / 'out'}", str(path)])

        self.assertEqual(status(made.records()), 0)
        self.assertEqual(status(made.records()[:-1]), 1)
        self.assertEqual(status([]), 2)

    def test_where_nothing_is_right_the_page_says_what_is_wrong(self):
        lines = made.records()
        for line in lines:
            if line["kind"] == "summary":
                line |= {"wrong": 5, "count": 0}
                del line["median"], line["p5"], line["p95"]  # as the program writes it
        study = self.read(lines)
        self.assertEqual(study.problems, [])
        text = page.write(study, self.folder / "out").read_text()
        self.assertIn("No measurement in these records is right.", text)
        self.assertEqual(json.dumps(data_of(text)).count("wrong in 5 of 5"), 4)

    def test_what_is_wrong_at_one_tuning_is_told_though_another_is_right(self):
        lines = made.records()
        wrong = [line | ({"id": "wrong", "block": 64} if "id" in line else {}) for line in lines if line.get("id") == "cuda-r02"]
        wrong[-1] |= {"wrong": 1, "count": 4}
        text = page.write(self.read(lines + wrong), self.folder / "out").read_text()
        self.assertIn("1 of 5 measurements are wrong", text)
        row, = rows_of(self.folder / "out" / "tables" / "spoiled.csv")
        self.assertEqual((row["rung"], row["tuning"], row["what it is"]),
                         ("r02_interleaved_divergent", "block 64", "wrong in 1 of 5"))

    def test_what_records_do_not_say_leaves_nothing_out(self):
        """No eviction, no seed, no peak, no ceiling: the ladder is there all the same."""
        lines = [line for line in made.records(evicted_bytes=None, seed=None) if line["kind"] != "ceiling"]
        for device in lines[0]["devices"]:
            device |= {"peak_gbs": None}
        page.write(self.read(lines), self.folder / "out")
        table, = (rows_of(path) for path in (self.folder / "out" / "tables").glob("ladder-cuda-*.csv"))
        self.assertEqual([(row["rung"], row["% of peak"]) for row in table],
                         [("r02_interleaved_divergent", "unknown"), ("r03_interleaved_strided", "unknown")])
        matrix, = (rows_of(path) for path in (self.folder / "out" / "tables").glob("portability-*.csv"))
        self.assertEqual([row["hip"] for row in matrix], ["0.8", "1.0"])

    def test_a_rung_of_another_run_is_marked_in_its_ladder(self):
        two = made.records("b", {("cuda", "r02"): 3e-3, ("cuda", "r04"): 1e-3})
        page.write(self.read(made.records("a"), two), self.folder / "out")
        text, = ((self.folder / "out" / "tables" / path.name).read_text()
                 for path in (self.folder / "out" / "tables").glob("ladder-cuda-*.md"))
        self.assertIn("| 4.000 ms |", text)
        self.assertIn("| 1.000 ms * |", text)
        self.assertIn("from another process", text)

    def test_rungs_of_a_trial_have_a_table_of_their_own(self):
        lines = made.records()
        for line in lines:
            if line.get("rung") == "r03":
                line |= {"rung": "variant_r03", "slug": ""}
        page.write(self.read(lines), self.folder / "out")
        names = {path.stem.split("-")[0]: {row["rung"] for row in rows_of(path)}
                 for path in (self.folder / "out" / "tables").glob("*-cuda-*.csv") if path.stem.startswith(("ladder", "trials"))}
        self.assertEqual(names, {"ladder": {"r02_interleaved_divergent"}, "trials": {"variant_r03"}})

    def test_what_a_record_says_is_no_markup(self):
        lines = made.records()
        for device in lines[0]["devices"]:
            device["name"] = "<script>alert(1)</script>"
        study = self.read(lines)
        text = page.write(study, self.folder / "out").read_text()
        self.assertNotIn("<script>alert", text)


class Machines(Case):
    def processor(self, run, cores):
        """A processor of one name with so many cores, and one backend."""
        lines = made.records(run, {("cpu", "r02"): 4e-3 / cores})
        lines[0]["devices"] = [lines[0]["devices"][0] | {"space": "host", "backends": ["cpu"], "name": "Chip", "kind": "cpu",
                                                         "units": cores}]
        lines[0]["machine"] = {"id": f"machine {cores}"}
        return [line | ({"space": "host"} if line["kind"] == "ceiling" else {}) for line in lines]

    def test_processors_of_one_name_are_told_apart_by_their_cores(self):
        view = self.view(self.processor("a", 2), self.processor("b", 16))
        self.assertEqual(sorted(map(view.label, view.devices)), ["Chip, 16 cores", "Chip, 2 cores"])
        self.assertEqual(self.view(self.processor("a", 2)).devices, ["Chip"])

    def test_one_row_for_each_device_and_commit(self):
        page.write(self.read(self.processor("a", 2), self.processor("b", 2), made.records("c")), self.folder / "out")
        rows = rows_of(self.folder / "out" / "tables" / "machines.csv")
        self.assertEqual([(row["device"], row["measurements"]) for row in rows], [("Chip", "2"), ("A GPU", "4")])


class Errata(Case):
    def erratum(self, status):
        lines = made.records()
        for line in lines:
            if line.get("rung") == "r03" and line["backend"] == "hip":
                line |= {"rung": "erratum_in_place", "slug": ""}
            if line["kind"] == "summary" and line["id"] == "hip-r03":
                line |= status
        return lines

    def test_what_is_wrong_on_purpose_is_no_mistake(self):
        wrong = {"wrong": 5, "count": 0, "median": None, "p5": None, "p95": None}
        path = made.write(self.folder / "a.jsonl", self.erratum(wrong))
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(program.main([f"--output={self.folder / 'out'}", str(path)]), 0)
        self.assertFalse((self.folder / "out" / "tables" / "spoiled.csv").exists())
        row, = rows_of(self.folder / "out" / "tables" / "errata.csv")
        self.assertEqual((row["rung"], row["what it is"]), ("erratum_in_place", "wrong in 5 of 5"))

    def test_an_erratum_that_failed_is_one(self):
        failed = {"failed": 5, "count": 0, "median": None, "p5": None, "p95": None}
        page.write(self.read(self.erratum(failed)), self.folder / "out")
        row, = rows_of(self.folder / "out" / "tables" / "spoiled.csv")
        self.assertEqual(row["rung"], "erratum_in_place")


class Committed(unittest.TestCase):
    """The page of records that are committed, made once."""

    PATH = ONE_PROCESS / "one-process-hip.jsonl.gz"

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.page = page.write(records.read([cls.PATH]), folder.name)

    def test_every_number_on_the_page_says_where_it_comes_from(self):
        """Each cell with a number names files by number and lines, and these are records that could say it."""
        text = self.page.read_text()
        data = data_of(text)
        first = [("on the first screen", places) for places in re.findall(r'data-from="([^"]*)"', text)]
        numbers = [*numbers_of(data), *first]
        with gzip.open(self.PATH, "rt") as lines:
            kinds = [json.loads(line)["kind"] for line in lines]
        self.assertGreater(len(numbers), 500)
        for text, places in numbers:
            self.assertTrue(places, f"{text} comes from nowhere")
            for place in places.split():
                number, line = place.split(":")
                if data["files"][int(number) - 1] == "docs/data/published.csv":
                    self.assertTrue(text.startswith("published"), text)
                    continue
                self.assertEqual(data["files"][int(number) - 1], str(self.PATH))
                self.assertIn(kinds[int(line) - 1], ("measurement", "summary", "ceiling", "run", "floor", "evidence"), text)

    def test_the_tables_are_what_plain_arithmetic_gives(self):
        """A second way, without pandas and without the report's code: from the committed records of an H200."""
        with gzip.open(self.PATH, "rt") as lines:
            found = [json.loads(line) for line in lines if '"kind":"sample"' not in line]
        measured = {r["id"]: r for r in found if r["kind"] == "measurement"}
        medians = {(measured[r["id"]]["backend"], measured[r["id"]]["rung"], measured[r["id"]]["n"]): r["median"]
                   for r in found if r["kind"] == "summary"}
        seen = 0
        for file in (self.page.parent / "tables").glob("portability-*.csv"):
            n = int(file.stem.split("-")[-4])
            for row in rows_of(file):
                rung = row["rung"].split("_")[0]
                self.assertAlmostEqual(float(row["hip"]), medians["cuda", rung, n] / medians["hip", rung, n], places=12)
                seen += 1
        self.assertEqual(seen, sum(1 for backend, rung, n in medians if backend == "hip"))
        for file in (self.page.parent / "tables").glob("ladder-hip-*.csv"):
            n = int(file.stem.split("-")[-4])
            for row in rows_of(file):
                median = medians["hip", row["rung"].split("_")[0], n]
                self.assertAlmostEqual(float(row["time"]), median, places=15)
                self.assertAlmostEqual(float(row["GB/s"]), 4 * n / median / 1e9, places=6)


class Portability(Case):
    def table(self, *files):
        section = phi.section(self.view(*files))
        return section and section.tables[0]

    def platform(self, run, name, medians=None):
        """A GPU of this name with a ceiling of 900 GB/s, on which 2^20 bytes take so long."""
        lines = made.records(run, medians)
        for device in lines[0]["devices"]:
            device["name"] = name
        return lines

    def test_it_is_the_harmonic_mean_and_zero_where_a_platform_is_missing(self):
        best = (1 << 20) / 900e9  # seconds at the ceiling
        one = self.platform("a", "One", {("cuda", "r02"): best, ("hip", "r02"): 2 * best})
        two = self.platform("b", "Two", {("hip", "r02"): 4 * best})
        table = self.table(one, two)
        values = {row[0].value: [cell.value for cell in row[1:3]] for row in table.rows}
        self.assertAlmostEqual(values["hip"][0], 2 / (1 / 0.5 + 1 / 0.25))  # of the ceilings: a half and a quarter
        self.assertAlmostEqual(values["hip"][1], 2 / (1 / 0.5 + 1 / 1.0))  # of the best there: a half and all
        self.assertNotEqual(values["cuda"][0], values["cuda"][0])  # it runs on the second one, and was not measured there
        two[0]["devices"][0]["space"] = "hip:0"
        lines = [line | ({"space": "hip:0"} if line["kind"] == "ceiling" else {}) for line in two]
        values = {row[0].value: [cell.value for cell in row[1:3]] for row in self.table(one, lines).rows}
        self.assertEqual(values["cuda"], [0.0, 0.0])  # it does not
        self.assertAlmostEqual(values["hip"][0], 2 / (1 / 0.5 + 1 / 0.25))

    def test_one_platform_is_no_portability(self):
        self.assertIsNone(self.table(made.records()))

    def test_platforms_without_a_common_problem_have_none(self):
        self.assertIsNone(self.table(made.records("a"), [
            line | ({"n": 1 << 19} if line["kind"] == "measurement" else {}) for line in self.platform("b", "Two")]))


if __name__ == "__main__":
    unittest.main()
