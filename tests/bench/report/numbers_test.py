"""bench/report: digits follow the rule; 95 % intervals and means match plain arithmetic and examples worked by hand."""

import math
import unittest

import cases
from report import intervals, text


class Digits(unittest.TestCase):
    def test_numbers_have_the_digits_that_the_rule_gives_them(self):
        rows = cases.rows_of(cases.ROOT / "tests" / "digits.csv")
        self.assertGreater(len(rows), 40)
        for row in rows:
            uncertainty = float(row["interval"]) if row["interval"] else None
            self.assertEqual(text.number(float(row["value"]), uncertainty, int(row["most"])), row["text"], row)
            if row["value"] != "0":
                self.assertEqual(text.number(-float(row["value"]), uncertainty, int(row["most"])), "-" + row["text"], row)

    def test_what_is_not_known_has_no_digits_and_one_sample_has_two(self):
        self.assertEqual([text.number(None), text.number(float("nan"))], ["", ""])
        self.assertEqual([text.number(123.4, float("inf")), text.number(1.2345, float("nan"))], ["120", "1.234"])

    def test_a_ratio_carries_both_sides_uncertainty(self):
        self.assertAlmostEqual(text.joint(0.03, 0.04), 0.05)
        self.assertEqual([text.joint(0.03, None), text.joint(None, float("nan"))], [0.03, None])
        self.assertEqual(text.number(2.3456, text.joint(0.0, 0.02)), "2.35")
        self.assertEqual(text.interval_text(0.9871, 1.0132), "0.987 to 1.013")


class Intervals(unittest.TestCase):
    def test_the_interval_is_what_plain_arithmetic_gives(self):
        found = intervals.of([math.exp(value) for value in (1, 2, 3, 4, 5)])
        half = 2.7764 * math.sqrt(2.5 / 5)
        self.assertAlmostEqual(found.value, math.exp(3))
        self.assertAlmostEqual(found.ends[0], math.exp(3 - half), places=3)
        self.assertAlmostEqual(found.ends[1] / math.exp(3 + half), 1, places=4)
        self.assertAlmostEqual(found.uncertainty, math.sinh(half), places=3)

    def test_of_one_process_nothing_is_known(self):
        self.assertIsNone(intervals.of([1.0]))
        self.assertIsNone(intervals.ratio({"a": 1.0}, {"b": 2.0, "c": 2.1}))

    def test_the_ratio_of_the_same_processes_is_made_in_each(self):
        slow, fast = {"a": 2.0, "b": 20.0, "c": 200.0}, {"a": 1.0, "b": 10.0, "c": 100.0, "d": 7.0}
        found = intervals.ratio(slow, fast)
        self.assertAlmostEqual(found.value, 2)
        self.assertAlmostEqual(found.uncertainty, 0)

    def test_the_ratio_of_separate_processes_is_welchs(self):
        """Example worked by hand: variances 4 and 1 (of logarithms), 4 and 6 values."""
        old = {"a": -3 ** 0.5, "b": -3 ** 0.5, "c": 3 ** 0.5, "d": 3 ** 0.5}  # variance 4
        new = dict(zip("efghij", [-(5 / 6) ** 0.5] * 3 + [(5 / 6) ** 0.5] * 3))  # variance 1
        found = intervals.ratio(*({name: math.exp(value) for name, value in side.items()} for side in (old, new)))
        self.assertAlmostEqual(found.error, math.sqrt(4 / 4 + 1 / 6))
        self.assertAlmostEqual(found.degrees, (1 + 1 / 6) ** 2 / (1 / 3 + (1 / 6) ** 2 / 5), places=2)
