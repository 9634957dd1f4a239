#!/usr/bin/env python3
"""What tools/past_counters.py makes of ncu's output, with a tool and a program that are made for it."""

import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "past_counters.py"
sys.path.insert(0, str(SCRIPT.parent))
import past_counters  # noqa: E402

COUNTED = {"ns": "241,900", "grid": "528", "block": "512", "bytes": "1,073,741,824", "requests": "16777216", "least": "300,000",
           "mean": "380,000.5", "cycles": "400,000"}


def ncu_csv(*launched):
    """What ncu prints of launches (rung, what is other than COUNTED)."""
    text = io.StringIO("==PROF== Connected to process 1\n")
    text.seek(0, io.SEEK_END)
    write = csv.writer(text, quoting=csv.QUOTE_ALL).writerow
    write(["ID", "Kernel Name", *past_counters.COUNTERS.values()])
    write([""] * (2 + len(past_counters.COUNTERS)))
    for i, (rung, other) in enumerate(launched):
        write([i, f"_ZN6ladder4cuda3{rung}12_GLOBAL__N_16reduceIfEEvPKT_", *{**COUNTED, **other}.values()])
    return text.getvalue()


class PastCounters(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tool("ladder", '{"ladders": {}, "rungs": [{"backend": "cuda", "id": "r20"}]}')

    def tool(self, name, output):
        (self.folder / f"{name}.out").write_text(output)
        script = f"#!/bin/sh\necho \"$*\" >>'{self.folder}/{name}.calls'\ncat '{self.folder}/{name}.out'\n"
        (self.folder / name).write_text(script)
        (self.folder / name).chmod(0o755)

    def run_script(self, *more):
        files = ["--ladder", self.folder / "ladder", "--to", self.folder / "some.csv"]
        done = subprocess.run([sys.executable, SCRIPT, *files, *more], capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin"})
        return done.returncode, done.stdout + done.stderr

    def test_each_rung_block_and_grid_has_a_line(self):
        self.tool("ncu", ncu_csv(("r24", {"requests": "33554432"}), ("r20", {}), ("r20", {"block": "128", "grid": "2112"})))
        status, said = self.run_script("--block=128,512")
        self.assertEqual(status, 0, said)
        with open(self.folder / "some.csv", encoding="utf-8") as lines:
            heads, *rows = csv.reader(lines)
        self.assertEqual(heads, past_counters.HEADS)
        self.assertEqual(rows, [["r20", "128", "2112", "241.9", "1.00", "2.00", "75", "95"],
                                ["r20", "512", "528", "241.9", "1.00", "2.00", "75", "95"],
                                ["r24", "512", "528", "241.9", "1.00", "4.00", "75", "95"]])
        call = (self.folder / "ncu.calls").read_text()
        for option in ("--profile", "--backends=cuda", "--sizes=2^28", "--block=128,512", "--cache-control none"):
            self.assertIn(option, call)

    def test_of_several_launches_alike_the_one_of_median_time_counts(self):
        launched = [("r23", {"ns": "9,900", "least": "200,000"}), ("r23", {"ns": "251,000", "least": "100,000"}),
                    ("r20", {}), ("r23", {"ns": "100,000"}), ("r25", {"ns": "2,000"}), ("r25", {"ns": "1,000"})]
        self.tool("ncu", ncu_csv(*launched))
        status, said = self.run_script()
        self.assertEqual(status, 0, said)
        self.assertIn("3 lines, of 6 launches", said)
        with open(self.folder / "some.csv", encoding="utf-8") as lines:
            rows = list(csv.reader(lines))[1:]
        self.assertEqual([[row[0], row[3], row[6]] for row in rows],
                         [["r20", "241.9", "75"], ["r23", "100.0", "75"], ["r25", "1.0", "75"]])

    def test_what_was_not_counted_is_said(self):
        self.tool("ncu", ncu_csv(("r20", {"requests": "n/a"})))
        status, said = self.run_script()
        self.assertEqual(status, 2)
        self.assertIn("ncu told nothing of lts__t_requests_srcunit_tex_op_read.sum", said)
        self.assertFalse((self.folder / "some.csv").exists())


if __name__ == "__main__":
    unittest.main()
