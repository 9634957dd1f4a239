"""bench/report: what may stand in one ratio of two models, and a model's mean over platforms."""

import math

import made
from cases import Case, kinds_of
from report.sections import phi

CUDA, HIP = ("cuda", "r02"), ("hip", "r02")
SLOW = (4e-3, 4.4e-3, 3.6e-3)  # of cuda r02, process by process
BEST = (1 << 20) / 900e9  # seconds at the ceiling


def platform(name, *medians, run, **fields):
    """A GPU of this name with a ceiling of 900 GB/s, in as many processes as there are medians."""
    lines = made.processes(*medians, run=run, **fields)
    for line in lines:
        for device in line.get("devices", ()):
            device["name"] = name
    return lines


class Ratios(Case):
    def test_one_process_gives_a_plain_ratio(self):
        found, _ = self.beside(made.records())
        self.assertEqual({rung: cell.text for rung, cell in found.items()}, {"r02": "0.80", "r03": "1.0"})
        self.assertEqual(kinds_of(found["r02"]), ["summary"] * 2)

    def test_what_the_native_model_has_not_is_held_against_its_best(self):
        found, _ = self.beside(made.records("a", {CUDA: 4e-3, ("hip", "r03"): 5e-3}))
        self.assertEqual(found["r03"].text, "0.80, r02")

    def test_two_processes_are_said_to_be(self):
        found, note = self.beside(made.records("a", {CUDA: 4e-3}), made.records("b", {HIP: 5e-3}))
        self.assertEqual(found["r02"].text, "0.80 *")
        self.assertIn("separate processes", note)

    def test_what_is_not_the_same_problem_is_in_no_ratio(self):
        for change in made.DIFFERENT:
            one, two = made.records("a", {CUDA: 4e-3}), made.records("b", {HIP: 5e-3}, **change)
            self.assertEqual(self.beside(one, two)[0]["r02"].text, "", change)
        apart, _ = self.beside(made.records("a", {CUDA: 4e-3}), platform("Another GPU", {HIP: 5e-3}, run="b"))
        self.assertEqual(apart["r02"].text, "")


class OverPlatforms(Case):
    def rows(self, *files):
        return {row[0].value: row for row in phi.section(self.view(*files)).tables[0].rows}

    def efficiency(self, seconds):
        return BEST / seconds

    def test_it_is_the_harmonic_mean_and_zero_where_a_platform_is_missing(self):
        one = platform("One", {CUDA: BEST, HIP: 2 * BEST}, run="a")
        two = platform("Two", {HIP: 4 * BEST}, run="b")
        rows = self.rows(one, two)
        self.assertAlmostEqual(rows["hip"][1].value, 2 / (1 / 0.5 + 1 / 0.25))  # of the ceilings: a half and a quarter
        self.assertAlmostEqual(rows["hip"][2].value, 2 / (1 / 0.5 + 1 / 1.0))  # of the best there: a half and all
        self.assertTrue(math.isnan(rows["cuda"][1].value))  # it runs on the second one, and was not measured there
        two[0]["devices"][0]["space"] = "hip:0"
        rows = self.rows(one, [line | ({"space": "hip:0"} if line["kind"] == "ceiling" else {}) for line in two])
        self.assertEqual([cell.value for cell in rows["cuda"][1:3]], [0.0, 0.0])  # it does not
        self.assertAlmostEqual(rows["hip"][1].value, 2 / (1 / 0.5 + 1 / 0.25))

    def test_of_one_process_it_has_no_interval(self):
        rows = self.rows(*(platform(name, {CUDA: 4e-3}, run=run) for name, run in (("One", "p"), ("Two", "q"))))
        self.assertNotIn(" to ", rows["cuda"][1].text)
