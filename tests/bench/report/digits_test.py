"""bench/report: the rule for digits."""

import csv
import pathlib
import unittest

import cases  # noqa: F401  (it ends the test where something is not installed)
from report import text


class Digits(unittest.TestCase):
    def test_numbers_have_the_digits_that_the_rule_gives_them(self):
        with open(pathlib.Path(__file__).parents[2] / "digits.csv", newline="") as file:
            rows = list(csv.DictReader(file))
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
