#!/usr/bin/env python3
"""The ReFrame test of the ladder passes on the program that LADDER names, and fails where something is wrong.

Exit status 77 where ReFrame is not installed (PyPI: reframe-hpc)."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFRAME = shutil.which("reframe", path=f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}")
RIGHT = {"kind": "summary", "name": "right", "count": 3, "wrong": 0, "failed": 0, "gbs": 2.5}


class OfReFrame(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_it(self, ladder, *more):
        """(what ReFrame reports of its one test, what was printed)"""
        report = self.folder / "report.json"
        check = ROOT / "tests/reframe/ladder_reframe.py"
        done = subprocess.run([REFRAME, "-c", check, "-r", "--nocolor", f"--prefix={self.folder}", f"--report-file={report}",
                               "-S", f"ladder={ladder}", *more], capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "HOME": str(self.folder), "TMPDIR": str(self.folder)})
        self.assertTrue(report.exists(), done.stdout + done.stderr)
        [case] = json.loads(report.read_text())["runs"][0]["testcases"]
        self.assertEqual(done.returncode == 0, case["result"] == "pass", done.stdout)
        return case, done.stdout

    def test_it_passes_on_the_program_and_has_its_bandwidths(self):
        case, printed = self.run_it(os.environ["LADDER"], "-S", "sizes=2^12", "-S", "more=--samples=3,--no-ceilings,--cache=hot")
        self.assertEqual(case["result"], "pass", printed)
        self.assertEqual(len(case["perfvalues"]), 2)
        self.assertTrue(all(value[0] > 0 and value[4] == "GB/s" for value in case["perfvalues"].values()))
        self.assertTrue(any("cpu_c07_multiple_accumulators_f32_sum_n_4096" in name for name in case["perfvalues"]))

    def test_it_fails_where_something_is_wrong(self):
        bad = [{**RIGHT, "name": field, field: value} for field, value in (("wrong", 1), ("failed", 1), ("count", 0))]
        for status, records, why in ((0, [RIGHT, *bad], "not right: ['wrong', 'failed', 'count']"),
                                     (0, [{"kind": "run"}], "nothing was measured"),
                                     (2, [], "the program ended with status 2, not 0")):
            ladder = self.folder / "ladder"  # writes these records and ends with this status
            lines = "".join(f"{json.dumps(record)}\n" for record in records)
            ladder.write_text(f"#!/bin/sh\ncat >records.jsonl <<'END'\n{lines}END\nexit {status}\n")
            ladder.chmod(0o755)
            with self.subTest(why=why):
                case, printed = self.run_it(ladder)
                self.assertEqual((case["result"], case["fail_phase"]), ("fail", "sanity"), printed)
                self.assertIn(why, printed)


if __name__ == "__main__":
    if not REFRAME:
        print("not run: ReFrame is not installed (PyPI: reframe-hpc)")
        sys.exit(77)
    unittest.main()
