"""bench/report/sections/batch.py: many reductions at once, of a committed record."""

import unittest

import cases  # noqa: F401  first: it says where what follows is not installed

# isort: split
import pandas

from cases import ROOT
from report import records
from report.sections import batch
from report.view import View

RECORD = "docs/results/h100-7bae97e6/batch_rows.jsonl.gz"


class Batch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.study = records.read([ROOT / RECORD])

    def test_measurements_with_a_shape_stand_apart_from_the_others(self):
        view = View(self.study)
        self.assertTrue(view.rows.empty)
        self.assertEqual(len(view.batch), len(self.study.rows))

    def test_no_share_above_the_ceiling_is_told(self):
        hot = records.read([ROOT / RECORD])
        hot.measurements = hot.measurements.assign(of_ceiling=1.2)
        (figure,) = batch.section(View(hot)).figures
        self.assertEqual({cell["text"] for panel in figure.spec["vconcat"] for cell in panel["data"]["values"]}, {"weak"})

    def test_two_devices_of_one_name_are_two_tables(self):
        twice = records.read([ROOT / RECORD])
        other = twice.measurements.assign(machine="another")
        twice.measurements = pandas.concat([twice.measurements, other], ignore_index=True)
        self.assertEqual(len(batch.section(View(twice)).tables), 2)


if __name__ == "__main__":
    unittest.main()
