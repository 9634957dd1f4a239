"""bench/report: the page and its CSV files have the right numbers, each with its source lines, and are self-contained."""

import gzip
import itertools
import json
import linecache
import re

import made
from cases import H200, Case, data_of, page, records
from report import __main__ as program
from report import sources
from running import run_main


def numbers_of(data):
    """Yields (table and head, source lines) of every cell with a value in all tables of a page."""
    for table in data["tables"]:
        for row in table["rows"]:
            for head, cell in list(zip(table["heads"], row, strict=True))[1:]:  # the first column names the row
                # Request fields are not results.
                if isinstance(cell, list) and cell[1] is not None and head not in ("n", "elements", "block", "grid", "items"):
                    yield f"{table['id']}, {head}", cell[2]


class Pages(Case):
    def test_a_page_is_whole_in_itself(self):
        """The page loads nothing, ids are unique, figures have a description, and each number has its source lines."""
        another = json.loads(json.dumps(made.records("d")).replace("A GPU", "Another"))
        text = self.page_of(made.records("a"), another, made.records("b", seed=2),
                            made.records("c", cache="hot", eviction=None, evicted_bytes=0))
        for mark in ('src="', "@import", "url(http", '<link rel="stylesheet'):
            self.assertNotIn(mark, text)
        web = sources.address()  # web address of this clone's remote, if any
        self.assertEqual(re.findall(r'href="((?!#|data:)[^"]*)"', text), [web] if web else [])
        names = re.findall(r' id="([^"]*)"', text)
        self.assertEqual(sorted(names), sorted(set(names)))
        figures = [figure for section in data_of(text)["sections"].values() for figure in section["figures"]]
        self.assertTrue(figures)
        for figure in figures:
            self.assertGreater(len(figure["spec"]["description"]), 40)
        for place in (place for row in self.table("ladder") for place in row["records"].split()):
            name, _, line = place.rpartition(":")
            record = json.loads(linecache.getline(name, int(line)))
            self.assertIn(record["kind"], ("measurement", "summary", "ceiling"))

    def test_what_an_earlier_report_left_behind_goes(self):
        tables = self.folder / "out" / "tables"
        tables.mkdir(parents=True)
        self.page_of(made.records())
        (tables / "old.csv").write_text("old")
        (tables / "mine.txt").write_text("mine")
        self.page_of(made.records())
        self.assertEqual([(tables / name).exists() for name in ("old.csv", "mine.txt")], [False, True])

    def test_the_program_tells_by_its_exit_status(self):
        for lines, expected in ((made.records(), 0), (made.records()[:-1], 1), ([], 2)):
            path = made.write(self.folder / "a.jsonl", lines)
            self.assertEqual(run_main(program.main, f"--output={self.folder / 'out'}", path)[0], expected)
        path = made.write(self.folder / "a.jsonl", made.records())
        (self.folder / "file").write_text("")
        for output in ("/proc/x", self.folder / "file" / "x"):
            status, printed = run_main(program.main, f"--output={output}", path)
            self.assertEqual(status, 2)
            self.assertRegex(printed, f"^report: --output={output}: cannot be written: .+\n$")

    def test_where_nothing_is_right_the_page_says_what_is_wrong(self):
        lines = made.records()
        for line in lines:
            if line["kind"] == "summary":
                line |= {"wrong": 5, "count": 0}
                del line["median"], line["p5"], line["p95"]  # as the program writes it
        self.assertEqual(self.read(lines).problems, [])
        text = self.page_of(lines)
        self.assertIn("No measurement in these records is right.", text)
        self.assertEqual(json.dumps(data_of(text)).count("wrong in 5 of 5"), 2 * 4, "in the ladder, and in the list of them")

    def test_what_is_wrong_at_one_tuning_is_told_though_another_is_right(self):
        lines = made.records()
        wrong = [line | ({"id": "wrong", "block": 64} if "id" in line else {}) for line in lines if line.get("id") == "cuda-r02"]
        wrong[-1] |= {"wrong": 1, "count": 4}
        self.assertIn("1 of 5 measurements are wrong", self.page_of(lines + wrong))
        row, = self.table("spoiled")
        self.assertEqual((row["rung"], row["tuning"], row["what it is"]),
                         ("r02_interleaved_divergent", "block 64", "wrong in 1 of 5"))

    def test_what_records_do_not_say_leaves_nothing_out(self):
        """The ladder needs no eviction, seed, peak or ceiling."""
        lines = [line for line in made.records(evicted_bytes=None, seed=None) if line["kind"] != "ceiling"]
        lines[0]["devices"][0]["peak_gbs"] = None
        heads = ("backend", "rung", "% of peak", "vs native")
        self.assertEqual([[row[head].text[:7] for head in heads] for row in self.ladder(lines)[0]],
                         [["cuda", "r02_int", "unknown", ""], ["hip", "r02_int", "unknown", "0.80"],
                          ["cuda", "r03_int", "unknown", ""], ["hip", "r03_int", "unknown", "1.0"]])

    def test_a_rung_of_another_run_is_marked_in_its_ladder(self):
        rows, note = self.ladder(made.records("a"), made.records("b", {("cuda", "r02"): 3e-3, ("cuda", "r04"): 1e-3}))
        times = [row["time"] for row in rows if row["backend"].text == "cuda"]
        self.assertEqual([(time.text, time.state) for time in times],
                         [("4.000 ms", ""), ("2.000 ms", ""), ("1.000 ms *", "separate")])
        self.assertIn("from separate processes", note)

    def test_rungs_of_a_trial_stand_behind_the_ladder_and_beside_no_other_model(self):
        lines = made.records()
        for line in lines:
            if line.get("rung") == "r02":
                line |= {"rung": "variant_r02", "slug": ""}
        self.assertEqual([(rung, cell.text) for rung, cell in self.beside(lines)[0].items()], [("r03", "1.0"), ("var", "")])

    def test_amd_was_never_run_until_there_is_a_record(self):
        amd = json.loads(json.dumps(made.records("b")).replace("cuda:0", "hip:0"))
        for lines, heads in ((made.records(), ["AMD GPU"]), (amd, [])):
            tables = {table["id"]: table for table in data_of(self.page_of(lines))["tables"]}
            self.assertEqual(tables["glance"]["heads"][2:], heads)


class Machines(Case):
    def processor(self, run, cores):
        """Records of a processor with this number of cores and one backend."""
        lines = made.records(run, {("cpu", "r02"): 4e-3 / cores})
        lines[0]["devices"] = [lines[0]["devices"][0] | {"space": "host", "backends": ["cpu"], "name": "Chip(R) CPU",
                                                         "kind": "cpu", "units": cores}]
        lines[0]["machine"] = {"id": f"machine {cores}"}
        return [line | ({"space": "host"} if line["kind"] == "ceiling" else {}) for line in lines]

    def test_processors_of_one_name_are_told_apart_by_their_cores(self):
        view = self.view(self.processor("a", 2), self.processor("b", 16))
        self.assertEqual(sorted(view.devices), ["Chip, 16 cores", "Chip, 2 cores"])

    def test_a_machine_is_its_identity(self):
        others = self.processor("b", 2)
        others[0]["machine"] = {"id": "another"}
        self.assertEqual(sorted(self.view(self.processor("a", 2), others).devices), ["Chip, 2 cores", "Chip, 2 cores #2"])


class Errata(Case):
    def test_what_is_wrong_on_purpose_is_no_mistake_but_a_failure_is(self):
        for change, status in (({"wrong": 5}, 0), ({"failed": 5}, 1)):
            lines = made.records()
            for line in lines:
                if line.get("rung") == "r03" and line["backend"] == "hip":
                    line |= {"rung": "erratum_in_place", "slug": ""}
                if line["kind"] == "summary" and line["id"] == "hip-r03":
                    line |= {"count": 0, "median": None, "p5": None, "p95": None} | change
            path = made.write(self.folder / "a.jsonl", lines)
            self.assertEqual(run_main(program.main, f"--output={self.folder / 'out'}", path)[0], status)
            self.assertEqual((self.folder / "out" / "tables" / "spoiled.csv").exists(), bool(status))
            self.assertIn("erratum_in_place", [row["rung"] for row in self.table("ladder")])


class Committed(Case):
    def test_every_number_on_the_page_says_where_it_comes_from(self):
        """Each cell with a number has source lines, whose records are of a kind with such numbers."""
        files = [H200 / "rungs.jsonl.gz", H200 / "evidence.jsonl.gz", H200.parent / "epyc-2" / "accuracy.jsonl.gz"]
        kinds, text = {}, page.write(records.read(files), self.folder).read_text()
        for file in files:
            with gzip.open(file, "rt") as lines:
                kinds[str(file)] = [json.loads(line)["kind"] for line in lines]
        data = data_of(text)
        numbers = [*numbers_of(data), *(("on the first screen", places) for places in re.findall(r'data-from="([^"]*)"', text))]
        self.assertGreater(len(numbers), 500)
        for text, places in numbers:
            self.assertTrue(places, f"{text} comes from nowhere")
            for number, steps in (place.split(":") for place in places.split()):
                for line in itertools.accumulate(map(int, steps.split(","))):
                    kind = kinds[data["files"][int(number) - 1]][line - 1]
                    self.assertIn(kind, ("measurement", "summary", "ceiling", "run", "evidence"), text)
