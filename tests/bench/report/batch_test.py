"""bench/report/sections/batch.py and pages/shapes.py: many reductions at once, of a committed record."""

import unittest

import cases  # noqa: F401  first: it says where what follows is not installed

# isort: split
from cases import ROOT
from report import page, records
from report.pages import shapes
from report.pages.source import Source
from report.sections import batch

RECORD = "docs/results/h100-7bae97e6/batch_rows.jsonl.gz"


class Batch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.study = records.read([ROOT / RECORD])

    def test_measurements_with_a_shape_stand_apart_from_the_others(self):
        self.assertTrue(self.study.measurements.empty)
        self.assertEqual(len(self.study.batch), len(self.study.rows))

    def test_the_section_has_a_line_for_each_rung_and_a_column_for_each_shape(self):
        (table,) = batch.section(self.study).tables
        self.assertEqual(table.heads[1:5], ["4", "8", "16", "17"])
        lines = {line[0].text: line[1:] for line in table.rows}
        self.assertIn("b10_tuned_batch (cuda)", lines)
        of_16 = lines["b10_tuned_batch (cuda)"][2]
        self.assertTrue(0.8 < of_16.value < 1, of_16)
        self.assertTrue(of_16.trace, "each number has its place in the records")
        _, _, _, (section,), _ = page.made_of(self.study)
        self.assertEqual(section.tables[0].id, table.id)

    def test_a_page_of_docs_has_the_shapes_down(self):
        table = shapes.batch(Source(ROOT, RECORD), "rows", "cuda:b10,cuda:library_cub_segmented")
        self.assertEqual([line[0].text for line in table.rows][-1], "268435456")
        slower = [line[2].value > 0 and line[1].value >= 0.98 * line[2].value for line in table.rows]
        self.assertTrue(all(slower), "b10 is as fast as the library at every length")


if __name__ == "__main__":
    unittest.main()
