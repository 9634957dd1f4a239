#!/usr/bin/env python3
"""bench/report: records that Hypothesis makes up. Whatever they are, the report and the comparison end with a sentence and a
status, and what a study holds has the form that its tables count on.

Exit status 77 where pandas, matplotlib, Jinja2 or Hypothesis are not installed. LADDER_PROPERTY_CASES: how many of each (25)."""

import contextlib
import copy
import io
import json
import math
import os
import sys
import tempfile
import unittest

import made
from cases import Case, pathlib, records

# isort: split
from report import compare

try:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st
except ImportError:
    print("not run: hypothesis is not installed (python3 -m pip install hypothesis)")
    sys.exit(77)

FEW = settings(max_examples=int(os.environ.get("LADDER_PROPERTY_CASES", 25)), deadline=None, derandomize=True,
               suppress_health_check=list(HealthCheck))
NUMBERS = st.one_of(st.integers(), st.floats(), st.sampled_from([0, -1, 10 ** 400, 1e308, -0.0, 2 ** 64]))
PLAIN = st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=8), st.sampled_from(["r1", "cuda", "", "r02"]))
VALUES = st.recursive(PLAIN, lambda inner: st.one_of(st.lists(inner, max_size=3),
                                                     st.dictionaries(st.text(max_size=6), inner, max_size=3)), max_leaves=6)
VALID = made.records()
PLACES = [(i, name) for i, line in enumerate(VALID) for name in line if name != "kind"]


@st.composite
def changed(draw):
    """Records with some fields of another value, left out, or one deeper changed."""
    lines = copy.deepcopy(VALID)
    for i, name in draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=4)):
        at, key = lines[i], name
        while isinstance(at.get(key), dict) and at[key] and draw(st.booleans()):
            at, key = at[key], draw(st.sampled_from(sorted(at[key], key=str)))
        at[key] = draw(VALUES)
        if draw(st.integers(0, 4)) == 0:
            del at[key]
    return lines


def ended(main, *words):
    """The status of a program of the report, in which nothing is raised but its end."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            return main([str(word) for word in words])
        except SystemExit as end:
            return end.code


def in_a_file(text):
    folder = tempfile.TemporaryDirectory()
    path = pathlib.Path(folder.name) / "some.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return folder, path


class AnyRecords(Case):
    def holds(self, path):
        study = records.read([path])
        for seconds in study.samples.values():
            self.assertTrue(all(0 < one < math.inf for one in seconds))
        for row in study.measurements.to_dict("records"):
            self.assertTrue(row["status"] != "right" or 0 < row["time"] < math.inf, row)
        self.assertIn(ended(compare.main, path, path), (0, 1, 2))

    @FEW
    @given(changed())
    def test_with_fields_of_any_value_are_read_to_the_end(self, lines):
        folder, path = in_a_file("".join(json.dumps(line) + "\n" for line in lines))
        with folder:
            self.holds(path)

    @FEW
    @given(st.lists(st.one_of(VALUES, st.sampled_from(VALID)), max_size=6))
    def test_of_any_lines_are_read_to_the_end(self, lines):
        folder, path = in_a_file("".join(json.dumps(line) + "\n" for line in lines))
        with folder:
            self.holds(path)

    @FEW
    @given(st.integers(0, 2 ** 32), st.text(max_size=20))
    def test_cut_anywhere_and_gone_on_with_are_read_to_the_end(self, place, rest):
        text = "".join(json.dumps(line) + "\n" for line in VALID)
        folder, path = in_a_file(text[:place % len(text)] + rest + "\n" + text)
        with folder:
            self.holds(path)

    def test_nested_deeply_are_no_record(self):
        folder, path = in_a_file("[" * 100000 + "\n" + '{"kind": "run", "run": ' + "[" * 50000 + "]" * 50000 + "}\n")
        with folder:
            self.holds(path)


class Thresholds(unittest.TestCase):
    @FEW
    @given(st.one_of(st.text(max_size=12), NUMBERS.map(str)))
    def test_are_percentages_or_refused(self, text):
        folder, path = in_a_file("".join(json.dumps(line) + "\n" for line in VALID))
        with folder:
            status = ended(compare.main, f"--threshold={text}", path, path)
        try:
            percent = float(text)
        except ValueError:
            percent = -1
        self.assertEqual(status, 0 if 0 <= percent < math.inf else 2, text)

    @FEW
    @given(st.floats(0, 1e300), st.floats(1e-6, 1e6), st.floats(1e-6, 1e6))
    def test_judge_an_interval_one_way_and_its_inverse_the_other(self, threshold, one, other):
        low, high = sorted((one, other))
        verdict = compare.verdict_of(low, high, threshold)
        self.assertIn(verdict, compare.WORDS)
        if verdict in ("slower", "faster"):
            self.assertTrue(low > 1 if verdict == "slower" else high < 1)
            self.assertIn(compare.verdict_of(1 / high, 1 / low, threshold * 0.999), ("slower", "faster"))
            self.assertNotEqual(compare.verdict_of(1 / high, 1 / low, threshold * 0.999), verdict)


if __name__ == "__main__":
    unittest.main()
