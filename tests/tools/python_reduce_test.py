#!/usr/bin/env python3
"""tools/python_reduce.py: with NumPy as it is, and with a library that only counts what it is asked for. Exit status 77: no
NumPy."""

import contextlib
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
if importlib.util.find_spec("numpy") is None:
    print("numpy is not installed")
    sys.exit(77)
sys.path.insert(0, str(ROOT / "tools"))
import python_reduce  # noqa: E402


class Counting(python_reduce.OfArrays):
    """A GPU whose calls return at once: what was asked of it takes its time only when somebody waits."""

    def __init__(self):
        super().__init__("numpy")
        self.device, self.asked, self.waited = "gpu", 0, []

    def call(self, op, array, kind):
        def reduce():
            self.asked += 1
            return self.asked
        return reduce

    def wait(self, result):
        self.waited.append(result)


class PythonReduce(unittest.TestCase):
    def ran(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as said, unittest.mock.patch.object(sys, "argv", ["it", *arguments]):
            python_reduce.main()
        return said.getvalue()

    def test_every_call_of_a_sample_is_behind_one_wait_for_the_last(self):
        one = Counting()
        with unittest.mock.patch.object(python_reduce.time, "perf_counter", lambda: one.asked * 1e-3):  # a millisecond each
            calls, found = python_reduce.samples_of(one, one.call("sum", None, "f32"), 4)
        self.assertGreaterEqual(calls, 5, "a sample has to last 5 ms")
        self.assertEqual([round(time, 9) for time in found], [1e-3] * 4)
        self.assertEqual(one.waited[-4:], [one.asked - calls * later for later in (3, 2, 1, 0)])

    def test_numpy_is_measured_and_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "records.jsonl"
            said = self.ran("--sizes=2^10,1000", "--types=f32,i8", "--ops=sum,max", "--samples=2", f"--records={file}")
            records = [json.loads(line) for line in file.read_text().splitlines()]
        self.assertIn("one thread of the CPU", said)
        self.assertEqual([(one["type"], one["op"], one["n"], len(one["seconds"])) for one in records],
                         [(kind, op, n, 2) for kind in ("f32", "i8") for n in (1024, 1000) for op in ("sum", "max")])
        self.assertTrue(all(time > 0 for one in records for time in one["seconds"]))

    def test_what_is_timed_is_right(self):
        library = python_reduce.OfArrays("numpy")
        for kind in python_reduce.TYPES:
            array = library.array(1000, kind)
            wanted = [index % 127 - 63 for index in range(1000)]
            self.assertEqual(int(library.call("sum", array, kind)()), sum(wanted), kind)
            self.assertEqual(int(library.call("max", array, kind)()), max(wanted), kind)

    def test_a_library_that_is_missing_is_said(self):
        with self.assertRaises(SystemExit) as ended, contextlib.redirect_stdout(io.StringIO()) as said:
            python_reduce.imported("no_such_library")
        self.assertEqual((ended.exception.code, said.getvalue()), (77, "no_such_library is not installed\n"))


if __name__ == "__main__":
    unittest.main()
