"""bench/report/drawing.py: that a colour-blind reader tells the backends apart, and anybody sees them on light and dark paper."""

import itertools
import re
import unittest

import numpy

from cases import ROOT
from report import drawing

# What the three kinds of colour-blindness make of linear red, green and blue (Machado, Oliveira, Fernandes, 2009: severity 1).
SEEN = {name: numpy.array(rows) for name, rows in {
    "all colours": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]}.items()}
TO_XYZ = numpy.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]])
WHITE = numpy.array([0.95047, 1.0, 1.08883])
APART = 25  # in CIELAB; 2 is just seen, and 13 was found to merge in a thin line


def linear(colour):
    parts = numpy.array([int(colour[at:at + 2], 16) for at in (1, 3, 5)]) / 255
    return numpy.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light):
    part = TO_XYZ @ numpy.clip(light, 0, 1) / WHITE
    x, y, z = numpy.where(part > 0.008856, numpy.cbrt(part), 7.787 * part + 16 / 116)
    return numpy.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one, other):
    dark, light = sorted(TO_XYZ[1] @ linear(colour) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def nearest(colours):
    """The least distance of two of these for any reader: (distance, reader, colour, colour)."""
    return min((float(numpy.linalg.norm(lab(seen @ linear(one)) - lab(seen @ linear(other)))), reader, one, other)
               for reader, seen in SEEN.items() for one, other in itertools.combinations(colours, 2))


class Colours(unittest.TestCase):
    def test_no_reader_takes_one_backend_for_another(self):
        distance, *which = nearest(drawing.COLOURS)
        self.assertGreater(distance, APART, which)

    def test_the_measure_sees_what_merges(self):
        """Vermilion and olive merge without red; red and green without green."""
        self.assertLess(nearest(["#D55E00", "#999933"])[0], APART)
        self.assertLess(nearest(["#b00000", "#506000"])[0], APART)

    def test_every_backend_has_a_colour_and_a_mark_of_its_own(self):
        styles = [tuple(one.items()) for backend, one in drawing.styles().items() if backend]
        self.assertEqual(len(set(styles)), len(drawing.BACKENDS))

    def test_they_are_seen_on_light_and_on_dark_paper(self):
        paper = re.findall(r"--paper: (#\w+)", (ROOT / "bench" / "report" / "front" / "page.css").read_text())[:2]
        for background in paper:
            full = background if len(background) == 7 else "#" + "".join(2 * digit for digit in background[1:])
            for colour in drawing.COLOURS:
                self.assertGreater(contrast(colour, full), 2.2, (colour, background))
