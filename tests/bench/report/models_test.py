#!/usr/bin/env python3
"""bench/report: that the table of which model costs what holds what plain arithmetic makes of the records.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import statistics
import unittest

import made
from cases import Case
from report import cells
from report.sections import models

MEDIANS = {("cuda", "r02"): 4e-3, ("cuda", "r03"): 2e-3, ("hip", "r02"): 5e-3, ("hip", "r03"): 2e-3}


class Models(Case):
    def rows(self, *files):
        table = models.table_of(self.view(*files))
        return {row[1].text: row[2:] for row in table.rows}, table.note

    def test_the_mean_is_geometric_and_the_worst_names_its_rung(self):
        lines, note = self.rows(made.records("a", MEDIANS))
        mean, worst, best, own = lines["HIP"]
        self.assertAlmostEqual(mean.value, statistics.geometric_mean([0.8, 1]))
        self.assertEqual([cell.text for cell in (mean, worst, best, own)], ["0.89, 2 rungs", "0.80, r02", "1.0", "–"])
        self.assertEqual([cell.text for cell in lines["CUDA"]], ["1", "1", "1", "–"])
        self.assertIn("One process", note)

    def test_of_several_processes_all_have_intervals(self):
        runs = [{**MEDIANS, ("hip", "r02"): 5e-3 * (1 + 0.01 * place)} for place in range(4)]
        lines, note = self.rows(made.processes(*runs))
        mean, worst, best, _ = lines["HIP"]
        by_run = [statistics.geometric_mean([run["cuda", rung] / run["hip", rung] for rung in ("r02", "r03")]) for run in runs]
        self.assertAlmostEqual(mean.value, statistics.geometric_mean(by_run))
        for cell in (mean, worst, best):
            self.assertRegex(cell.text, r"^[\d.]+ ± [\d.]+")
        self.assertEqual(best.text, "1.000 ± 0.001")  # no process differs: nothing finer than a thousandth is told
        self.assertIn("Of 4 processes", note)

    def test_an_interval_is_not_shown_smaller_than_it_is(self):
        for ends, text in (((0.8961, 0.8971), "0.897 ± 0.001"), ((0.8948, 0.8971), "0.897 ± 0.002"),
                           ((0.87, 0.91), "0.90 ± 0.03"), (None, "0.90")):
            self.assertEqual(cells.part(0.8966, ends).text, text)

    def test_what_comes_with_a_model_is_held_against_the_best_native_rung(self):
        medians = {("cuda", "r02"): 4e-3, ("cuda", "r03"): 2e-3, ("hip", "r02"): 5e-3, ("hip", "r04"): 2.5e-3}
        lines = made.records("a", medians)
        for line in lines:
            if line["kind"] == "measurement" and line["backend"] == "hip":
                line |= {"rung": "library_rocprim", "library": True, "slug": ""} if line["rung"] == "r04" else {}
        rows, _ = self.rows(lines)
        self.assertEqual(rows["HIP"][3].text, "0.80, rocprim")  # 2 ms beside 2.5 ms

    def test_a_ladder_of_other_rungs_has_its_best_alone(self):
        lines = made.records("a", {("cuda", "r02"): 4e-3, ("hip", "r03"): 5e-3})
        rows, note = self.rows(lines)
        self.assertEqual([cell.text for cell in rows["HIP"]], ["other rungs", "other rungs", "0.80", "–"])
        self.assertIn("Other rungs:", note)

    def test_one_model_alone_is_held_against_nothing(self):
        self.assertIsNone(models.table_of(self.view(made.records("a", {("cuda", "r02"): 4e-3}))))


if __name__ == "__main__":
    unittest.main()
