"""bench/report: the section of energy, which no measurement of the time has a part in."""

import made
from cases import Case, data_of, page, rows_of, said
from report import __main__ as program
from report.sections import energy


class Energy(Case):
    def table(self, *files):
        found = energy.section(self.view(made.records(), *files))
        self.assertEqual(len(found.tables), 1)
        return found.tables[0]

    def cells(self, line):
        return [cell.text for cell in line]

    def test_without_such_records_there_is_nothing(self):
        view = self.view(made.records())
        self.assertIsNone(energy.section(view))
        self.assertNotIn("energy", [section.id for section in page.made_of(view.study)[3]])

    def test_joules_per_gb_are_the_median_of_the_rounds_and_the_least_comes_first(self):
        table = self.table(made.energy())
        self.assertEqual(table.heads[3:], ["J/GB", "spread", "steps", "above idle", "W", "GB/s", "rounds right"])
        self.assertEqual(self.cells(table.rows[0]), ["hip", "r03_interleaved_strided", "block 256", "0.30", "10 %", "0.10 %",
                                                     "0.20", "300", "1000", "3 of 3"])
        self.assertEqual(self.cells(table.rows[1]), ["cuda", "r02_interleaved_divergent", "block 256", "0.500", "2.0 %", "0.10 %",
                                                     "0.375", "400", "800.0", "3 of 3"])
        self.assertEqual(table.rows[1][3].value, 0.5)
        self.assertEqual(len(table.rows[1][3].trace), 3)
        self.assertIn("changes every 100 ms; the idle device takes 100.0 W", table.note)
        self.assertIn("Counted by a made up counter", table.note)
        self.assertEqual(table.title, "Energy on A GPU: float sum, n = 2³⁰ (4 GiB), back to back")

    def test_the_steps_of_the_counter_take_digits_too(self):
        line = self.table(made.energy(rungs={("cuda", "r02"): [(400.1, 800)] * 3}, uncertainty=0.03)).rows[0]
        self.assertEqual(self.cells(line)[3:8], ["0.50", "0 %", "3.0 %", "0.38", "400"])

    def test_a_wrong_round_is_told_and_has_no_part_in_the_numbers(self):
        lines = made.energy()
        lines[1] |= {"ok": False, "error": "wrong result: 7 is not 8", **dict.fromkeys(
            ("watts", "gbs", "joules_per_gb", "uncertainty", "joules", "seconds"))}
        table = self.table(lines)
        self.assertEqual(table.rows[1][-1].text, "2 of 3: wrong result: 7 is not 8")
        self.assertEqual((table.rows[1][-1].state, table.rows[1][3].value), ("wrong", 0.5))
        for line in lines[1:]:
            line |= {"ok": False, "error": "broken"}
        self.assertEqual([self.cells(line)[3:] for line in self.table(lines).rows], [[""] * 6 + ["0 of 3: broken"]] * 2)

    def test_of_several_runs_the_one_with_the_most_rungs_speaks_then_the_latest(self):
        few = made.energy("e9", {("cuda", "r02"): [(1, 800)] * 3})
        late = made.energy("e2", {("cuda", "r02"): [(8, 800)] * 3, ("hip", "r03"): [(800, 800)] * 3})
        self.assertEqual([line[3].text for line in self.table(few, made.energy("e1"), late).rows], ["0.01000", "1.000"])

    def test_problems_are_apart(self):
        found = energy.section(self.view(made.records(), made.energy(), made.energy("e2", type="f64", n=1 << 29)))
        self.assertEqual([table.title.partition(": ")[2].partition(",")[0] for table in found.tables],
                         ["float sum", "double sum"])

    def test_what_a_record_lacks_is_told(self):
        for name in ("watts", "rounds", "idle_watts"):
            lines = made.energy()
            del lines[1][name]
            study = self.read(lines)
            self.assertEqual([str(problem).partition(": ")[2] for problem in study.problems],
                             [f"a round of energy without {name}: left out"])
            self.assertEqual(len(study.others["energy"]), 5)
        for name, value in (("ok", 1), ("joules_per_gb", -1), ("idle_watts", "much"), ("block", "x")):
            lines = made.energy()
            lines[1][name] = value
            self.assertIn(f"a round of energy whose {name} is ", str(self.read(lines).problems[0]))

    def test_the_page_has_it_beside_the_times_and_alone(self):
        for name, files in (("both", [made.records(), made.energy()]), ("alone", [made.energy()])):
            paths = [made.write(self.folder / f"{name}{i}.jsonl", lines) for i, lines in enumerate(files)]
            self.assertEqual(said(program.main, *paths, "--output", self.folder / name)[0], 0)
            titles = [table["title"] for table in data_of((self.folder / name / "index.html").read_text())["tables"]]
            self.assertTrue(any("Energy on A GPU" in title for title in titles), titles)
            rows = rows_of(self.folder / name / "tables" / "energy-a_gpu-f32-sum-1073741824.csv")
            self.assertEqual([float(row["J/GB"]) for row in rows], [0.3, 0.5])

    def test_a_round_that_failed_is_the_programs_failure(self):
        path = made.write(self.folder / "a.jsonl", made.energy(ok=False, error="broken"))
        status, printed = said(program.main, path, "--output", self.folder / "page")
        self.assertEqual(status, 1)
        self.assertIn("6 of 6 rounds of --energy are wrong or failed", printed)
