"""bench/report/pages/devices.py: what is claimed of a model, from the devices that measured it."""

import unittest

import cases  # noqa: F401  first: it says where what follows is not installed

# isort: split
import pandas

from report.pages import devices


def row(rung, n, time, **more):
    return {"rung": rung, "backend": "cuda", "status": "right", "n": n, "run": "study", "cache": "hot", "scope": "chain",
            "by_process": {"first": time, "second": 2 * time}, **more}


class Ratio(unittest.TestCase):
    def setUp(self):
        self.rows = pandas.DataFrame([
            row("r16", 16, 6.0), row("r32", 16, 3.0), row("r16", 64, 8.0), row("r32", 64, 1.0),
            row("r32", 256, 1.0), row("r16", 256, 1.0, status="wrong"),
            row("r32", 1024, 1.0), row("r16", 1024, 1.0, run="another")])

    def ratio(self, *sizes):
        return devices.ratio(devices.times(self.rows, "r16"), devices.times(self.rows, "r32", scope="chain"), sizes)

    def test_it_is_the_geometric_mean_over_the_sizes(self):
        self.assertAlmostEqual(self.ratio(16), 2)
        self.assertAlmostEqual(self.ratio(16, 64), 4)

    def test_there_is_none_where_a_side_has_not_the_size_or_was_wrong_or_ran_in_another_study(self):
        for sizes in ((16, 32), (256,), (1024,)):
            self.assertIsNone(self.ratio(*sizes), sizes)


if __name__ == "__main__":
    unittest.main()
