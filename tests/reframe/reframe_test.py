#!/usr/bin/env python3
"""The ReFrame test of the ladder: that it passes on the program that LADDER names, and fails where something is wrong.

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
CHECK = pathlib.Path(__file__).with_name("ladder_reframe.py")
REFRAME = shutil.which("reframe", path=f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}")
RIGHT = {"kind": "summary", "name": "reduce/cpu/c05/n:8", "count": 3, "wrong": 0, "failed": 0, "gbs": 2.5}


class OfReFrame(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_it(self, ladder, *more):
        """(what ReFrame reports of its one test, the records that the program wrote, what was printed)"""
        report = self.folder / "report.json"
        done = subprocess.run([REFRAME, "-c", CHECK, "-r", "--nocolor", f"--prefix={self.folder}", f"--report-file={report}",
                               "--keep-stage-files", "-S", f"ladder={ladder}", *more], capture_output=True, text=True,
                              cwd=self.folder, env={**os.environ, "HOME": str(self.folder), "TMPDIR": str(self.folder)})
        self.assertTrue(report.exists(), done.stdout + done.stderr)
        [case] = json.loads(report.read_text())["runs"][0]["testcases"]
        self.assertEqual(done.returncode == 0, case["result"] == "pass", done.stdout)
        found = next((self.folder / "stage").rglob("records.jsonl"), None)
        return case, [json.loads(line) for line in found.read_text().splitlines()] if found else [], done.stdout

    def made(self, status, *records):
        """A program that measures nothing, writes these records and ends with this status."""
        (self.folder / "made.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
        ladder = self.folder / "ladder"
        ladder.write_text(f"#!/bin/sh\nfor option; do case $option in --records=*) cat '{self.folder}/made.jsonl' "
                          f">\"${{option#*=}}\" ;; esac; done\nexit {status}\n")
        ladder.chmod(0o755)
        return ladder

    def test_it_passes_on_the_program_and_has_its_bandwidths(self):
        if "LADDER" not in os.environ:
            self.skipTest("the environment names no LADDER")
        case, records, printed = self.run_it(os.environ["LADDER"], "-S", "sizes=2^12", "-S",  # nothing that takes long
                                             "more=--samples=3,--no-ceilings,--cache=hot")
        self.assertEqual(case["result"], "pass", printed)
        said = sorted(one["gbs"] for one in records if one["kind"] == "summary")
        values = case["perfvalues"].values()
        self.assertEqual((sorted(value[0] for value in values), {value[4] for value in values}), (said, {"GB/s"}))
        self.assertEqual(len(said), 2)
        self.assertTrue(all(value > 0 for value in said))
        self.assertTrue(any("cpu_c07_multiple_accumulators_f32_sum_n_4096" in name for name in case["perfvalues"]))

    def test_it_fails_where_something_is_wrong(self):
        bad = [{**RIGHT, "name": field, field: value} for field, value in (("wrong", 1), ("failed", 1), ("count", 0))]
        for status, records, why in ((0, [RIGHT, *bad], "not right: ['wrong', 'failed', 'count']"),
                                     (0, [{"kind": "run"}], "nothing was measured"),
                                     (2, [], "the program ended with status 2, not 0")):
            with self.subTest(why=why):
                case, _, printed = self.run_it(self.made(status, *records))
                self.assertEqual((case["result"], case["fail_phase"]), ("fail", "sanity"), printed)
                self.assertIn(why, printed)

    def test_it_passes_where_all_is_right(self):
        case, _, printed = self.run_it(self.made(0, RIGHT))
        self.assertEqual(case["result"], "pass", printed)
        self.assertEqual([value[0] for value in case["perfvalues"].values()], [2.5])


if __name__ == "__main__":
    if not REFRAME:
        print("not run: ReFrame is not installed (PyPI: reframe-hpc)")
        sys.exit(77)
    unittest.main()
