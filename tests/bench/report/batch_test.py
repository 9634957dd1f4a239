"""bench/report/sections/batch.py: many reductions at once, of a committed record."""

import unittest

import cases  # noqa: F401  first: it says where what follows is not installed

# isort: split
import pandas

from cases import ROOT
from report import charts, page, records
from report.sections import batch
from report.view import View

RECORD = "docs/results/h100-7bae97e6/batch_rows.jsonl.gz"


class Batch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.study = records.read([ROOT / RECORD])

    def test_measurements_with_a_shape_stand_apart_from_the_others(self):
        self.assertTrue(self.study.measurements.empty)
        self.assertEqual(len(self.study.batch), len(self.study.rows))

    def test_the_section_has_a_line_for_each_rung_and_a_column_for_each_shape(self):
        (table,) = batch.section(View(self.study)).tables
        self.assertEqual(table.heads[2:6], ["4", "8", "16", "17"])
        lines = {(line[0].text, line[1].text): line[2:] for line in table.rows}
        of_16 = lines["b10_tuned_batch", "cuda"][2]
        self.assertTrue(0.8 < of_16.value < 1, of_16)
        self.assertTrue(of_16.trace, "each number has its place in the records")
        _, _, _, sections, _ = page.made_of(self.study)
        self.assertEqual([section.id for section in sections], ["batch", "machines"])

    def test_the_heat_map_has_a_panel_for_each_backend_and_a_cell_for_each_number_of_the_table(self):
        section = batch.section(View(self.study))
        (table,), (figure,) = section.tables, section.figures
        cells = [cell for panel in figure.spec["vconcat"] for cell in panel["data"]["values"]]
        self.assertEqual({cell["panel"] for cell in cells}, set(self.study.batch["backend"]))
        self.assertEqual(len(cells), sum(bool(cell.text) for line in table.rows for cell in line[2:]))
        self.assertIn("Where does one block per row lose?", figure.title)
        self.assertIn("b10 tuned batch on cuda: from 76 at 4", figure.words)
        self.assertIn("<svg", charts.svg_of(figure))

    def test_no_share_above_the_ceiling_is_told(self):
        hot = records.read([ROOT / RECORD])
        hot.batch = hot.batch.assign(of_ceiling=1.2)
        (figure,) = batch.section(View(hot)).figures
        self.assertEqual({cell["text"] for panel in figure.spec["vconcat"] for cell in panel["data"]["values"]}, {"weak"})

    def test_columns_and_segments_have_maps_of_their_own(self):
        other = records.read([ROOT / RECORD])
        shapes = {"rows:4": "columns:16", "rows:8": "columns:64",
                  "rows:16": "segments:uniform:8..8192", "rows:17": "segments:zipf:64"}
        other.batch = other.batch[other.batch["shape"].isin(shapes)].assign(shape=lambda rows: rows["shape"].map(shapes))
        section = batch.section(View(other))
        self.assertEqual([figure.spec["vconcat"][0]["encoding"]["x"]["scale"]["domain"] for figure in section.figures],
                         [["16", "64"], ["uniform:8..8192", "zipf:64"]])
        for figure in section.figures:
            self.assertIn("<svg", charts.svg_of(figure))

    def test_two_devices_of_one_name_are_two_tables(self):
        twice = records.read([ROOT / RECORD])
        other = twice.batch.assign(machine="another")
        twice.batch = pandas.concat([twice.batch, other], ignore_index=True)
        self.assertEqual(len(batch.section(View(twice)).tables), 2)

    def test_a_library_of_cubs_says_its_version(self):
        (table,) = batch.section(View(self.study)).tables
        said = [line[0].text for line in table.rows if "cub" in line[0].value]
        self.assertEqual(said, ["library_cub_segmented, CUB 3.0.1", "library_cub_segmented_newest, CUB 3.5.0"])


if __name__ == "__main__":
    unittest.main()
