"""bench/report: the section of energy, which no measurement of the time has a part in."""

import made
from cases import Case, rows_of, said, texts
from report import __main__ as program
from report.sections import energy


class Energy(Case):
    def tables(self, *files):
        return energy.section(self.view(made.records(), *files)).tables

    def test_the_steps_of_the_counter_take_digits_too(self):
        table, = self.tables(made.energy(rungs={("cuda", "r02"): [(400.1, 800)] * 3}, uncertainty=0.03))
        self.assertEqual(texts(table)[0][3:6], ["0.50", "0.38", "400"])

    def test_a_wrong_round_is_told_and_has_no_part_in_the_numbers(self):
        lines = made.energy()
        lines[1] |= {"ok": False, "error": "wrong result: 7 is not 8", **dict.fromkeys(("watts", "gbs", "joules_per_gb"))}
        row = self.tables(lines)[0].rows[1]
        self.assertEqual((row[-1].text, row[-1].state, row[3].value), ("2 of 3: wrong result: 7 is not 8", "wrong", 0.5))
        path = made.write(self.folder / "a.jsonl", lines)
        self.assertEqual(said(program.main, path, "--output", self.folder / "page")[0], 1)

    def test_of_several_runs_the_one_with_the_most_rungs_speaks_then_the_latest_and_problems_are_apart(self):
        few = made.energy("e9", {("cuda", "r02"): [(1, 800)] * 3})
        late = made.energy("e2", {("cuda", "r02"): [(8, 800)] * 3, ("hip", "r03"): [(800, 800)] * 3})
        table, = self.tables(few, made.energy("e1"), late)
        self.assertEqual([line[3].text for line in table.rows], ["0.01000", "1.000"])
        self.assertEqual(len(self.tables(made.energy(), made.energy("e2", type="f64", n=1 << 29))), 2)

    def test_what_a_record_lacks_is_told(self):
        for change, words in (({"watts": None}, "without watts"), ({"joules_per_gb": -1}, "whose joules_per_gb is ")):
            lines = made.energy()
            lines[1] |= change
            study = self.read(lines)
            self.assertIn(words, study.problems[0].text)
            self.assertEqual(len(study.others["energy"]), 5)

    def test_a_page_may_have_it_alone(self):
        path = made.write(self.folder / "a.jsonl", made.energy())
        self.assertEqual(said(program.main, path, "--output", self.folder / "alone")[0], 0)
        rows = rows_of(self.folder / "alone" / "tables" / "energy-a_gpu-f32-sum-1073741824.csv")
        self.assertEqual([float(row["J/GB"]) for row in rows], [0.3, 0.5])
