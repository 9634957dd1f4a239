#!/usr/bin/env python3
"""bench/report: what more devices or ranks bring, of made-up records.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import unittest

import made
from cases import Case
from report import page
from report.sections import shares

SIZE = 1 << 30  # elements


def measured(run, rows, process=None, skew=None):
    """A run on two GPUs of these: (rung, shares, n, seconds)."""
    first = made.records(run)[0]
    first["axes"] = [*first["axes"], "shares"]
    first["devices"] = [first["devices"][0] | {"space": "two", "backends": ["several/cuda"], "name": "2 x A GPU"}]
    if process:
        first["process"] = {"index": process, "of": 2, "group": "p1"}
    lines = [first]
    for number, (rung, count, n, seconds) in enumerate(rows):
        some = made.records(run, {("cuda", "r02"): seconds}, backend="several/cuda", rung=rung, slug=rung, n=n, bytes=4 * n,
                            shares=count, space="two", block=None, family="several devices")
        lines += [line | {"id": str(number)} | ({"release_skew": skew} if skew and line["kind"] == "summary" else {})
                  for line in some[2:]]
    return lines


# m00 halves the time and m02 does not quite, of as many elements in all and in each share.
BOTH = [("m00", 1, SIZE, 1.0), ("m00", 2, SIZE, 0.5), ("m00", 1, 2 * SIZE, 2.0), ("m00", 2, 2 * SIZE, 1.0),
        ("m02", 1, SIZE, 1.0), ("m02", 2, SIZE, 0.625), ("m02", 1, 2 * SIZE, 2.0), ("m02", 2, 2 * SIZE, 1.25)]


class Shares(Case):
    def figures(self, *files):
        return {figure.id: figure for figure in shares.section(self.view(*files)).figures}

    def one(self, start, *files):
        [found] = [figure for name, figure in self.figures(*files).items() if name.startswith(f"shares-{start}")]
        return found

    def lines(self, figure):
        return [[row[0].text.split("_")[0], *(cell.text for cell in row[4:])] for row in figure.table.rows]

    def test_strong_and_weak_scaling_come_from_one_file(self):
        found = self.figures(measured("r1", BOTH))
        self.assertEqual([name.split("-")[1] for name in found], ["strong", "strong", "weak"])
        weak = next(figure for name, figure in found.items() if "weak" in name)
        self.assertEqual(weak.table.heads, ["rung", "backend", "GB/s by 1", "by most", "2 shares", "efficiency"])
        self.assertEqual(self.lines(weak), [["m00", "2.00×", "100 %"], ["m02", "1.60×", "80 %"]])
        self.assertIn("2³⁰ elements (4 GiB) in each share, weak scaling", weak.title)
        strong = list(found.values())[0]
        self.assertIn("n = 2³¹ (8 GiB)", strong.title)
        self.assertEqual(self.lines(strong), [["m00", "2.00×", "100 %"], ["m02", "1.60×", "80 %"]])

    def test_the_bandwidth_by_most_is_of_all_elements(self):
        row = self.one("weak", measured("r1", BOTH)).table.rows[0]
        self.assertAlmostEqual(row[2].value, 4 * SIZE / 1e9)
        self.assertAlmostEqual(row[3].value, 8 * SIZE / 1e9)

    def test_weak_scaling_is_not_what_strong_scaling_is(self):
        rows = [("m00", 1, SIZE, 1.0), ("m00", 2, 2 * SIZE, 1.1)]
        found = self.figures(measured("r1", rows))
        self.assertEqual([name.split("-")[1] for name in found], ["weak"])
        self.assertEqual(self.lines(self.one("weak", measured("r1", rows))), [["m00", "1.82×", "91 %"]])

    def test_more_numbers_of_shares_are_a_line(self):
        rows = [("m00", count, SIZE, 1.0 / count) for count in (1, 2, 4, 8)]
        self.assertEqual(self.lines(self.one("strong", measured("r1", rows))), [["m00", "2.00×", "4.00×", "8.00×", "100 %"]])

    def test_one_number_of_shares_is_no_scaling(self):
        self.assertIsNone(shares.section(self.view(made.records())))
        self.assertIsNone(shares.section(self.view(measured("r1", [("m00", 2, SIZE, 1.0)]))))
        self.assertIsNone(shares.section(self.view(measured("r1", [("m00", 2, SIZE, 1.0), ("m00", 4, SIZE, 0.5)]))))

    def test_what_is_of_two_runs_says_so(self):
        files = measured("r1", [("m00", 1, SIZE, 1.0)]), measured("r2", [("m00", 2, SIZE, 0.5)])
        figure = self.one("strong", *files)
        self.assertEqual(figure.table.rows[0][4].state, "separate")
        self.assertIn("separate processes", figure.table.note)

    def test_processes_of_a_study_are_one_line(self):
        files = [measured(f"p{index}", [("m00", 1, SIZE, 1.0), ("m00", 2, 2 * SIZE, time)], index)
                 for index, time in ((1, 1.0), (2, 1.05))]
        self.assertTrue(self.lines(self.one("weak", *files))[0][1].startswith("2."))

    def test_how_far_apart_devices_were_let_go_is_told(self):
        words = self.one("weak", measured("r1", BOTH, skew=0.4e-6)).words
        self.assertIn("The devices were let go within 400 ns of each other.", words)
        self.assertNotIn("let go", self.one("weak", measured("r1", BOTH)).words)

    def test_a_page_has_it(self):
        page.write(self.read(measured("r1", BOTH), made.records("r2")), self.folder / "page")
        made_page = (self.folder / "page" / "index.html").read_text()
        self.assertTrue("weak scaling" in made_page)  # in a message it would be a book


if __name__ == "__main__":
    unittest.main()
