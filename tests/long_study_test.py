#!/usr/bin/env python3
"""A study that is stopped on a real device: by signals to one process or a process group, a kernel that never returns, or an
illegal address. PROGRAM and BACKEND name the program with faults and the backend. Tests that need a GPU are skipped if BACKEND
is the CPU, and all tests if the backend has no device."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, BACKEND = os.environ["PROGRAM"], os.environ["BACKEND"]
RUNG, OTHER, SCOPE = ("c05", "c00", "host") if BACKEND == "cpu" else ("r06", "r16", "kernel")
SETTINGS = os.environ | {"OMP_WAIT_POLICY": "passive"}


def arguments(rungs, *more):
    return [PROGRAM, f"--backends={BACKEND}", f"--rungs={rungs}", "--types=f32", "--cache=hot", f"--scope={SCOPE}",
            "--no-ceilings", *more]


class Study(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "records.jsonl")

    def lines(self, kind):
        """Records of a kind; ignores a line that a kill cut short."""
        found = []
        for line in self.file.read_text().splitlines() if self.file.exists() else []:
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return [line for line in found if line["kind"] == kind]

    def run_to_its_end(self, rungs, *more):
        done = subprocess.run(arguments(rungs, f"--records={self.file}", *more), capture_output=True, text=True, check=False,
                              timeout=300, env=SETTINGS)
        return done.returncode, done.stdout + done.stderr

    def stopped(self, stop, *more):
        """(status, output) of a study of many samples that `stop` ends after the first recorded sample."""
        begun = subprocess.Popen(arguments(RUNG, "--sizes=2^20", "--samples=1000000", f"--records={self.file}", *more),
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
                                 env=SETTINGS)
        limit = time.monotonic() + 60
        while not self.lines("sample") and begun.poll() is None and time.monotonic() < limit:
            time.sleep(0.05)
        stop(begun)
        said, _ = begun.communicate(timeout=60)
        return begun.returncode, said

    def goes_on(self, *more):
        """Resumes the study for four more samples; no sample is lost."""
        before = len(self.lines("sample"))
        self.assertGreater(before, 0)
        status, said = self.run_to_its_end(RUNG, "--sizes=2^20", f"--samples={before + 4}", "--resume", *more)
        self.assertEqual(status, 0, said)
        self.assertEqual([sample["index"] for sample in self.lines("sample")], list(range(before + 4)), said)


class Stopped(Study):
    def test_by_a_signal(self):
        for stop in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            with self.subTest(stop.name):
                self.file.unlink(missing_ok=True)
                found, said = self.stopped(lambda begun, stop=stop: begun.send_signal(stop))
                self.assertEqual(found, -stop, said)
                self.goes_on()

    def started(self, begun):
        """The single child process, which has the parent's name in ps."""
        [child] = map(int, pathlib.Path(f"/proc/{begun.pid}/task/{begun.pid}/children").read_text().split())
        self.assertEqual(*(pathlib.Path(f"/proc/{process}/comm").read_text() for process in (begun.pid, child)))
        return child

    def test_with_the_process_that_it_has_started(self):
        children = []

        def stop(begun):
            children.append(self.started(begun))
            begun.terminate()

        found, said = self.stopped(stop, "--processes=2")
        self.assertEqual(found, -signal.SIGTERM, said)
        limit = time.monotonic() + 10
        while pathlib.Path(f"/proc/{children[0]}/exe").exists() and time.monotonic() < limit:
            time.sleep(0.01)
        self.assertFalse(pathlib.Path(f"/proc/{children[0]}/exe").exists())

    def test_how_a_process_that_it_has_started_was_killed_is_handed_on(self):
        found, said = self.stopped(lambda begun: os.kill(self.started(begun), signal.SIGKILL), "--processes=2")
        self.assertEqual(found, 128 + signal.SIGKILL, said)
        self.assertEqual(len(self.lines("run")), 1, "none was started behind it")


@unittest.skipIf(BACKEND == "cpu", "a CPU is not lost")
class Lost(Study):
    def is_gone_on_behind(self, fault, *more):
        common = ("--sizes=2^22", "--samples=5", *more)
        begun = time.monotonic()
        status, said = self.run_to_its_end(f"{RUNG},{OTHER},{fault}", *common)
        self.assertEqual(status, 3, said)
        self.assertIn("failed: device lost", said)
        self.assertLess(time.monotonic() - begun, 15, "not waited for what does not come back")
        status, said = self.run_to_its_end(f"{RUNG},{OTHER},{fault}", *common, "--resume")
        self.assertEqual(status, 1, said)
        right = [sample["ok"] for sample in self.lines("sample")]
        self.assertEqual(right.count(True), 10, said)
        return said

    def test_by_an_address_that_is_none(self):
        self.is_gone_on_behind("fault_writes_nowhere")

    def test_by_a_kernel_that_does_not_come_back(self):
        self.assertIn("--watchdog", self.is_gone_on_behind("fault_spins", "--watchdog=3"))


if __name__ == "__main__":
    asked = subprocess.run(arguments(RUNG, "--sizes=2^10", "--dry-run"), capture_output=True, text=True, check=False,
                           env=SETTINGS)
    if asked.returncode != 0:
        print(f"skipped: {BACKEND}: {asked.stderr.strip()}")
        sys.exit(77)
    unittest.main(verbosity=2)
