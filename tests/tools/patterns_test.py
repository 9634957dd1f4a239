#!/usr/bin/env python3
"""tools/patterns.py: what a drawing says of a trace. That the committed trace is what the rungs do is hip_patterns' own test."""

import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
try:
    import patterns
except ImportError as error:
    print(f"not run: {error.name} is not installed (./study setup installs it)")
    sys.exit(77)

HEAD = "rung,event,block,thread,barriers,syncs,value,left,right,at\n"
# Four elements, four threads in warps of two: s0 + s2 and s1 + s3, then s0 + s1. Thread 1's second sum is of no use.
TREE = """r90,launch,1,4,,,4,,,2
r90,load,0,0,0,0,1,,,0+1
r90,load,0,1,0,0,2,,,1+1
r90,load,0,2,0,0,3,,,2+1
r90,load,0,3,0,0,4,,,3+1
r90,add,0,0,1,0,5,1@s0,3@s2,
r90,add,0,1,1,0,6,2@s1,4@s3,
r90,add,0,0,2,0,7,5@s0,6@s1,
r90,add,0,1,2,0,8,6,,
r90,partial,0,,,,7,,,
"""
ATOMICS = """r91,launch,2,2,,,4,,,2
r91,load,0,0,0,0,1,,,0+1
r91,atomic,0,0,0,0,1,,,
r91,load,1,1,0,0,2,,,3+1
r91,atomic,1,1,0,0,2,,,
"""
# A vector of four, added up in the thread; then the sum of another block, by way of the partials.
VECTORS = """r92,launch,2,2,,,8,,,2
r92,load,0,0,0,0,0,,,0+4
r92,own,0,0,0,0,3,,,
r92,partial,0,,,,3,,,
r92,load,1,0,0,0,0,,,4+4
r92,own,1,0,0,0,4,,,
r92,add,1,0,1,0,5,4,3@p0,
r92,result,,,,,5,,,
"""


class Drawn(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "patterns.csv"

    def drawn(self, rung, lines):
        self.path.write_text(HEAD + lines)
        title, words, svg = patterns.drawing_of(self.path, rung)
        return title, words, xml.etree.ElementTree.fromstring(svg)

    def texts(self, svg):
        return [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]

    def test_a_tree_is_told_in_words_and_rows(self):
        title, words, svg = self.drawn("r90", TREE)
        self.assertEqual(title, "r90 as traced: 1 block of 4 threads in warps of 2, n = 4")
        self.assertIn("Load, block 0: threads 0 to 3 elements 0, 1 and so on, up to 3.", words)
        self.assertIn("Addition 1: thread 0 adds s0 and s2; thread 1 adds s1 and s3. Addition 2: thread 0 adds s0 and s1.", words)
        texts = self.texts(svg)
        self.assertEqual(texts.count("barrier"), 2)
        self.assertIn("2 threads of 1 warp", texts)
        self.assertIn("partial 0", texts)

    def test_a_sum_that_nobody_uses_is_pale_and_has_no_line(self):
        _, _, svg = self.drawn("r90", TREE)
        space = "{http://www.w3.org/2000/svg}"
        pale = [group for group in svg.iter(f"{space}g") if group.get("opacity")]
        self.assertEqual(len(pale), 1)
        additions = [line for line in svg.iter(f"{space}line") if line.get("stroke-opacity")]
        self.assertEqual(len(additions), 2 * 3 + 1)  # two for each of three, and one to the partial

    def test_a_circle_stands_over_the_word_where_its_sum_goes(self):
        def at(lines):
            circles = self.drawn("r90", lines)[2].iter("{http://www.w3.org/2000/svg}circle")
            return [float(circle.get("cx")) for circle in circles]

        moved = TREE.replace("6@s1", "6@s3")
        self.assertEqual(sorted(set(at(TREE))), sorted(set(at(moved))))
        self.assertGreater(sum(at(moved)), sum(at(TREE)))

    def test_atomic_updates_go_straight_to_the_result(self):
        _, words, svg = self.drawn("r91", ATOMICS)
        self.assertIn("result, by 2 atomic updates", self.texts(svg))
        self.assertNotIn("Addition", words)

    def test_what_a_thread_adds_of_its_own_loads_is_no_row_and_another_blocks_sum_is_named(self):
        _, words, svg = self.drawn("r92", VECTORS)
        self.assertIn("thread 0 elements 0 to 3", words)
        self.assertIn("Addition 1: thread 0 adds p0.", words)
        self.assertNotIn("Addition 2", words)
        self.assertIn("p0", self.texts(svg))
        self.assertIn("result", self.texts(svg))


if __name__ == "__main__":
    unittest.main()
