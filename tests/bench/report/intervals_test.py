"""bench/report/intervals.py: that a 95 % interval holds the value as often as it says, and where it does not."""

import math
import unittest

import cases  # noqa: F401  first: it says where what follows is not installed

# isort: split
import numpy

from report import intervals

REPETITIONS = 8_000


class Values(unittest.TestCase):

    def test_the_interval_is_what_plain_arithmetic_gives(self):
        found = intervals.of([math.exp(value) for value in (1, 2, 3, 4, 5)])
        half = 2.7764 * math.sqrt(2.5 / 5)
        self.assertAlmostEqual(found.value, math.exp(3))
        self.assertAlmostEqual(found.ends[0], math.exp(3 - half), places=3)
        self.assertAlmostEqual(found.ends[1] / math.exp(3 + half), 1, places=4)
        self.assertAlmostEqual(found.uncertainty, math.sinh(half), places=3)

    def test_the_midmean_leaves_out_a_quarter_at_each_end(self):
        self.assertEqual(intervals.midmean(numpy.array([1000.0, 3, 4, 1, 6, 5, 2, 7])), 4.5)
        self.assertEqual(list(intervals.midmean(numpy.array([[1.0, 2, 30], [2.0, 2, 2]]))), [2, 2])

    def test_of_one_process_nothing_is_known(self):
        self.assertIsNone(intervals.of([1.0]))
        self.assertIsNone(intervals.ratio({"a": 1.0}, {"b": 2.0, "c": 2.1}))

    def test_the_ratio_of_the_same_processes_is_made_in_each(self):
        slow, fast = {"a": 2.0, "b": 20.0, "c": 200.0}, {"a": 1.0, "b": 10.0, "c": 100.0, "d": 7.0}
        found = intervals.ratio(slow, fast)
        self.assertAlmostEqual(found.value, 2)
        self.assertAlmostEqual(found.uncertainty, 0)

    def test_the_ratio_of_separate_processes_is_welchs(self):
        """Against an example worked by hand: variances 4 and 1 (of logarithms), 4 and 6 values."""
        old = {"a": -3 ** 0.5, "b": -3 ** 0.5, "c": 3 ** 0.5, "d": 3 ** 0.5}  # variance 4
        new = dict(zip("efghij", [-(5 / 6) ** 0.5] * 3 + [(5 / 6) ** 0.5] * 3))  # variance 1
        found = intervals.ratio(*({name: math.exp(value) for name, value in side.items()} for side in (old, new)))
        self.assertAlmostEqual(found.error, math.sqrt(4 / 4 + 1 / 6))
        self.assertAlmostEqual(found.degrees, (1 + 1 / 6) ** 2 / (1 / 3 + (1 / 6) ** 2 / 5), places=2)


class Coverage(unittest.TestCase):
    """Of many simulated studies, in how many the interval holds the value that they were made with."""

    def held(self, make, value):
        """`make`: an estimate of one study, from a random generator."""
        generator = numpy.random.default_rng(20261121)
        found = (make(generator).ends for _ in range(REPETITIONS))
        return sum(low <= value <= high for low, high in found) / REPETITIONS

    def test_intervals_hold_the_value_in_95_of_100_studies(self):
        for processes in (5, 10):
            names = range(processes)

            def one(generator, count=processes):
                return intervals.of(generator.lognormal(math.log(3e-6), 0.04, count))

            def paired(generator, names=names):
                """What a process has in common on both sides is ten times what it has not."""
                common = generator.lognormal(0, 0.05, len(names))
                sides = (common * generator.lognormal(math.log(median), 0.005, len(names)) for median in (3e-6, 2e-6))
                return intervals.ratio(*(dict(zip(names, side)) for side in sides))

            def separate(generator, names=names):
                """One side of so many processes, the other of five, which differ three times as much."""
                sides = (generator.lognormal(math.log(3e-6), 0.01, len(names)), generator.lognormal(math.log(2e-6), 0.03, 5))
                return intervals.ratio(*({(place, name): value for name, value in enumerate(side)}
                                         for place, side in enumerate(sides)))

            for make, value in ((one, 3e-6), (paired, 1.5), (separate, 1.5)):
                held = self.held(make, value)
                self.assertTrue(0.94 <= held <= 0.96, f"{make.__name__} of {processes}: {held}")

    def test_harmonic_means_of_independent_platforms_do_too(self):
        parts = (0.9, 0.5, 0.98)

        def make(generator):
            return intervals.harmonic([intervals.of(generator.lognormal(math.log(part), 0.02, 5)) for part in parts])

        held = self.held(make, 3 / sum(1 / part for part in parts))
        self.assertTrue(0.94 <= held <= 0.975, held)  # Welch and Satterthwaite's degrees are too few rather than too many

    def test_a_mode_that_is_rare_is_missed(self):
        """A process in twenty is 15 % slower. Four in five studies of five processes have no such one, and their interval says
        nothing of it: fewer than half of the intervals hold the geometric mean over all processes, 0.7 % above the common mode.
        The common mode itself they hold."""
        def make(generator):
            return intervals.of(generator.lognormal(0, 0.005, 5) * numpy.where(generator.random(5) < 0.05, 1.15, 1))

        self.assertTrue(0.46 <= self.held(make, 1.15 ** 0.05) <= 0.52)
        self.assertGreater(self.held(make, 1.0), 0.95)
