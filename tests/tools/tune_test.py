"""tools/tune.py: choices from measurements, and the written file."""

import inspect
import json
import sys
import textwrap

import cases
import tune
from running import run_main

# Replaces ladder: reads the file of choices, and records the times that seconds() returns.
PROGRAM = """#!{python}
import json, pathlib, sys
import made

{seconds}

options = dict(word.removeprefix("--").split("=", 1) for word in sys.argv[1:] if "=" in word)
if "--list" in sys.argv:
    print(json.dumps({{"types": [{{"name": "f32", "bytes": 4}}]}}))
    sys.exit()
lines = json.loads(pathlib.Path(options["tuning"]).read_text())["choices"] if "tuning" in options else []
first, last = (int(size[2:]) for size in options["sizes"].split(".."))
written = []
for op, n in ((op, 1 << power) for op in options["ops"].split(",") for power in range(first, last + 1)):
    choice = (1, 1, 0)
    for line in lines:
        if line["op"] == op and line["from_bytes"] <= 4 * n:
            choice = line["workers"], line["pieces"], line["prefetch"]
    for rung, workers, time in (("c00", None, 1e-8 * n), ("c13", 4, seconds(n, *choice))):
        some = made.records(medians={{("cuda", "r02"): time}}, rung=rung, slug=rung, n=n, bytes=4 * n, workers=workers,
                            op=op, scope="host", cache="hot")
        for line in some[2 if written else 0:]:
            written.append(line | ({{"id": f"{{rung}}-{{op}}-{{n}}"}} if "id" in line else {{}}))
made.write(pathlib.Path(options["records"]), written)
"""

SMALL, LARGE = (128, 1, tune.ALONE), (1024, 4, tune.ONE_PASS)


class Tune(cases.Case):
    def test_the_best_of_each_size_is_taken_but_its_neighbours_where_that_is_as_good(self):
        small, large = {16: 1.3, 32: 1.100, 4096: 1.0}, {16: 1.0, 32: 1.104, 4096: 1.2}
        found = tune.chosen({choice: [{("f32", "sum", n): gain for n, gain in gains.items()}] * 2
                             for choice, gains in ((SMALL, small), (LARGE, large))})
        self.assertEqual(found, {("f32", "sum"): [(16, SMALL), (32, SMALL), (4096, LARGE)]})

    def test_the_kernels_are_those_of_the_header(self):
        candidates = [choice for choice, _ in tune.Gpu.candidates(1)]
        self.assertIn((1024, 4, tune.ALONE), candidates)
        self.assertEqual(len(candidates), len(set(candidates)))

    def test_a_cpus_candidates_are_every_way_by_1_2_4_to_all_threads(self):
        for workers, numbers in ((1, {1}), (12, {1, 2, 4, 8, 12}), (16, {1, 2, 4, 8, 16})):
            self.assertEqual({choice[0] for choice, _ in tune.Cpu.candidates(workers)}, numbers)
        candidates = [choice for choice, _ in tune.Cpu.candidates(4)]
        self.assertEqual(len(candidates), len(set(candidates)))
        self.assertTrue(all(pieces in (1, 2, 4) and (not prefetch or pieces == 2) for _, pieces, prefetch in candidates),
                        "as bench/plan/tuning_file.cpp takes them")

    def tuned(self, seconds, ops="sum"):
        """(output, lines of the written file) on a machine where `seconds` gives the time of a choice."""
        program = self.program("ladder", PROGRAM.format(python=sys.executable,
                                                        seconds=textwrap.dedent(inspect.getsource(seconds))))
        file = self.folder / "choices.json"
        file.unlink(missing_ok=True)
        status, said = run_main(tune.main, "--backend=cpu", f"--ladder={program}", f"--to={file}", "--types=f32", f"--ops={ops}",
                                "--rounds=2")
        lines = json.loads(file.read_text())["choices"] if file.exists() else []
        self.assertEqual(status, 0 if lines else 1, said)
        return said, lines

    def test_the_whole_of_it_on_a_made_up_machine(self):
        # Two threads are faster from 16 KiB on, four from 32 KiB; prefetches slow down one reader. The rung's default is one.
        def seconds(n, workers, _, prefetch):
            return 1e-9 * n / workers + 1e-6 * (workers - 1) + (1e-6 if prefetch and workers == 1 else 0)

        said, lines = self.tuned(seconds)
        self.assertEqual([(line["from_bytes"], line["workers"]) for line in lines], [(0, 1), (16384, 2), (32768, 4)])
        self.assertEqual(lines[0], {"type": "f32", "op": "sum", "from_bytes": 0, "workers": 1, "pieces": 1, "prefetch": 0})
        self.assertIn("times as fast as without it", said)

    def test_what_is_slower_than_without_it_is_left_out_and_told(self):
        # Sums are faster without a file.
        def seconds(n, workers, pieces, prefetch):
            return 1e-9 * n * (0.5 if op == "sum" and not lines else 1.0)  # noqa: F821  (both are the program's)

        said, lines = self.tuned(seconds, "sum,max")
        self.assertEqual({line["op"] for line in lines}, {"max"})
        self.assertIn("f32 sum is left out: slower than without it at 2⁴, 2⁵", said)
        self.assertNotIn("f32 max is left out", said)
        said, lines = self.tuned(seconds)
        self.assertEqual(lines, [])
        self.assertIn("nothing is left, and nothing is written", said)

    def test_what_cannot_be_done_is_told_before_it_is_measured(self):
        self.assertIn("--rounds=1: two or more", run_main(tune.main, "--rounds=1")[1])
        with self.assertRaisesRegex(tune.Failure, "is not the measuring program"):
            tune.main([f"--ladder={self.program('ladder', '#!/bin/sh')}"])

    def test_a_choice_is_judged_by_processes_in_turns(self):
        class Bench:
            def __init__(self):
                self.calls = []

            def gains(self, choices=None):
                self.calls.append(choices)
                drift = 1 + 0.1 * len(self.calls)  # both slow down by nearly the same factor
                return {("f32", "sum", 16): (1.0 if choices is None else 1.2) * drift}

        bench = Bench()
        [(key, estimate)] = tune.judged(bench, [], 4)
        self.assertEqual(key, ("f32", "sum", 16))
        self.assertEqual([call is None for call in bench.calls], [False, True] * 4)
        low, high = estimate.ends
        self.assertLess(1.0, low)
        self.assertLess(high, 1.25)
