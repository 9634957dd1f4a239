#!/usr/bin/env python3
"""tools/calibrate.py on simulated processes, whose true ratio is known.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import contextlib
import io
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "bench" / "report"), str(ROOT / "tools")]
import made  # noqa: E402
from cases import Case  # noqa: E402  (it ends the test where something is not installed)

# isort: split
import numpy  # noqa: E402

import calibrate  # noqa: E402


def simulated(count, apart=1.0, mode=None):
    """So many processes: r02 beside its alias, which takes `apart` times as long, and hip's, which takes 1.1 times as long.
    Processes differ by 5 % in all alike, and by 1 % in each. In the second half of them the alias takes `mode` times as long."""
    generator, medians = numpy.random.default_rng(7), []
    for index in range(count):
        common = generator.lognormal(0, 0.05)
        own = {name: 4e-3 * common * factor * generator.lognormal(0, 0.01)
               for name, factor in ((("cuda", "r02"), 1), (("cuda", "r03"), apart), (("hip", "r02"), 1.1))}
        own["cuda", "r03"] *= mode if mode and index >= count // 2 else 1
        medians.append(own)
    lines = made.processes(*medians)
    return [line | ({"rung": "alias_r02", "slug": ""} if line.get("rung") == "r03" else {}) for line in lines
            if line["kind"] != "sample"]


class Calibrate(Case):
    def lines(self, records, *words):
        """The cells of each line that is printed, heads and rules left out."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(calibrate.main([str(made.write(self.folder / "a.jsonl", records)), *words]), 0)
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in out.getvalue().splitlines() if line]
        return [line for line in cells if line[0] not in ("pair", "rung", "n") and not line[0].startswith("---")]

    def test_one_code_under_two_names_is_alike_in_95_of_100_groups(self):
        alias, hip, over_rungs, over_sizes = self.lines(simulated(2503))
        self.assertEqual(alias[:4], ["cuda r02, alias_r02", "float sum, cold, kernel scope", "2¹⁸", "500"])
        self.assertEqual(hip[:2] + hip[3:5], ["r02, cuda by hip", "float sum, cold, kernel scope", "500", ""])
        held = int(alias[4].split()[0])
        self.assertTrue(460 <= held <= 490, held)  # 95 % of 500, three standard deviations either way
        # Twice 2.776 times the standard error of the mean of five differences of 1.4 %, by the median of Student's s.
        self.assertTrue(94 <= float(alias[5].split()[0]) <= 96, alias[5])
        self.assertTrue(2.8 <= float(alias[6].split()[0]) <= 3.6, alias[6])
        self.assertEqual(over_rungs, ["r02", "2¹⁸", *alias[3:]])
        self.assertEqual(over_sizes, ["2¹⁸", *alias[3:]])

    def test_what_is_not_alike_is_found(self):
        alias, *_ = self.lines(simulated(200, apart=1.05))
        self.assertLess(int(alias[4].split()[0]), 4)

    def test_groups_are_disjoint_and_in_order(self):
        alias, *_ = self.lines(simulated(203, mode=1.2), "--of=10")
        self.assertEqual(alias[3], "20")
        self.assertTrue(8 <= int(alias[4].split()[0]) <= 11, alias[4])  # the first half of the groups, and the one across
        self.assertLess(float(alias[5].split()[0]), 30)  # of groups at random nearly all have both halves

    def test_what_cannot_be_calibrated_is_told_in_a_sentence(self):
        path = made.write(self.folder / "a.jsonl", simulated(4))
        with self.assertRaisesRegex(calibrate.Failure, "no pair was measured right in 5 processes"):
            calibrate.main([str(path)])
        with self.assertRaises(SystemExit) as ended, contextlib.redirect_stderr(io.StringIO()):
            calibrate.main([str(path), "--of=1"])
        self.assertEqual(ended.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
