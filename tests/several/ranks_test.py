"""MPI ranks on the CPU: results are right; after a fault of one rank all ranks end with a sentence within ten seconds, and the
records so far are kept. LADDER, FAULTY and CONTRACT name the programs, MPIRUN the launcher."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

LIMIT = 10  # seconds after the fault; mpirun itself may take one more to exit
MPIRUN = os.environ.get("MPIRUN") or shutil.which("mpirun")


def start(ranks, program, *words, **variables):
    """(status of mpirun, output, seconds)"""
    settings = {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMP_WAIT_POLICY": "passive"}
    begun = time.monotonic()
    done = subprocess.run([MPIRUN, "-n", str(ranks), program, *words], capture_output=True, text=True, timeout=300, check=False,
                          env=os.environ | settings | variables)
    return done.returncode, done.stdout + done.stderr, time.monotonic() - begun


def measured(*more):
    return ["--backends=mpi/cpu", "--rungs=m03", "--no-ceilings", "--cache=hot", *more]


class Recorded(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.records = pathlib.Path(self.folder.name, "records.jsonl")
        self.addCleanup(self.folder.cleanup)

    def ends(self, status, *how, **variables):
        """Output of ranks that end with this status; arguments as of start()."""
        found, said, _ = start(*how, **variables)
        self.assertEqual(found, status, said)
        return said

    def lines(self, kind):
        found = [json.loads(line) for line in self.records.read_text().splitlines()]
        return [line for line in found if line["kind"] == kind]


class Right(Recorded):
    def test_each_size_is_right_on_any_number_of_ranks(self):
        """Sizes include none, fewer elements than ranks, and unequal shares."""
        for ranks in (1, 2, 5):
            self.ends(0, ranks, os.environ["LADDER"],
                      *measured("--sizes=0,1,2,3,65,1000003", "--types=i32,f32,bf16,i8", "--ops=sum,max", "--samples=2",
                                f"--records={self.records}"))
        right = [sample["ok"] for sample in self.lines("sample")]
        self.assertEqual(len(right), 3 * 6 * 4 * 2 * 2)
        self.assertTrue(all(right))

    def test_the_first_rank_alone_writes_and_tells_of_the_others(self):
        said = self.ends(0, 3, os.environ["LADDER"], *measured("--sizes=4096", "--samples=4", f"--records={self.records}"))
        [device] = self.lines("run")[0]["devices"]
        self.assertEqual((len(self.lines("run")), device["facts"]["members"]["value"]), (1, "3"))
        self.assertIn("rank 1", device["facts"])
        self.assertEqual([sample["index"] for sample in self.lines("sample")], [0, 1, 2, 3])
        self.assertEqual(said.count("m03_all_reduce"), 1, said)

    def test_shares_are_an_axis(self):
        self.ends(0, 4, os.environ["LADDER"],
                  *measured("--sizes=4096", "--samples=2", "--shares=1..4", f"--records={self.records}"))
        self.assertEqual([line["shares"] for line in self.lines("measurement")], [1, 2, 4])

    def test_a_backend_of_one_process_is_left_out(self):
        self.ends(0, 2, os.environ["LADDER"], "--sizes=4096", "--samples=2", "--cache=cold,hot", f"--records={self.records}")
        self.assertEqual({line["backend"] for line in self.lines("measurement")}, {"mpi/cpu"})
        self.assertEqual(len(self.lines("ceiling")), 2)
        said = self.ends(2, 2, os.environ["LADDER"], "--backends=cpu")
        self.assertEqual(said.count("is of one process: start it without mpirun, or take mpi/cpu"), 1, said)

    def told(self, ranks, *more):
        """Tuning of each rank."""
        said = self.ends(0, ranks, os.environ["FAULTY"],
                         *measured("--sizes=4096", "--types=f32", "--samples=2", f"--records={self.records}", *more),
                         LADDER_TELLS="1", OMPI_MCA_hwloc_base_binding_policy="none")
        return sorted(set(re.findall(r"rank \d+: .* workers.*", said)))

    def choices(self, folder):
        """Tuning file for this machine, whose name is in the records."""
        start(2, os.environ["FAULTY"], *measured("--sizes=64", "--samples=1", f"--records={self.records}"))
        name = self.lines("run")[0]["devices"][0]["name"].removeprefix("2 x ")
        self.records.unlink()
        line = {"type": "f32", "op": "sum", "from_bytes": 0, "workers": 1, "pieces": 2, "prefetch": 12345}
        path = pathlib.Path(folder, "choices.json")
        path.write_text(json.dumps({"schema": 1, "device": {"name": name}, "choices": [line]}))
        return path, name

    def test_choices_are_those_of_all_ranks(self):
        path, _ = self.choices(self.folder.name)
        told = self.told(3, f"--tuning={path}", "--workers=1")
        self.assertEqual(len(told), 3, told)
        for rank, line in enumerate(told):
            self.assertTrue(line.startswith(f"rank {rank}: 1 workers, prefetch 12345, by '{path} "), line)
        self.assertTrue(self.lines("run")[0]["devices"][0]["tuning"].startswith(str(path)))

    def test_choices_of_another_machine_are_refused(self):
        path, name = self.choices(self.folder.name)
        path.write_text(path.read_text().replace(json.dumps(name), '"another one"'))
        said = self.ends(2, 2, os.environ["LADDER"], *measured("--sizes=64", f"--tuning={path}"))
        self.assertIn("is for another device than these: " + name, said)

    def test_workers_are_those_of_each_rank(self):
        told = self.told(2, "--workers=1")
        self.assertEqual([line.split(",")[0] for line in told], ["rank 0: 1 workers", "rank 1: 1 workers"])
        self.assertEqual([line["workers"] for line in self.lines("measurement")], [1])
        most = len(os.sched_getaffinity(0))
        said = self.ends(2, 2, os.environ["LADDER"], *measured("--sizes=64", f"--workers={most + 1}"),
                         OMPI_MCA_hwloc_base_binding_policy="none")
        self.assertIn(f"{most + 1} workers: not each rank has more than {most} hardware threads to use", said)

    def test_more_shares_than_ranks_are_refused(self):
        said = self.ends(2, 2, os.environ["LADDER"], *measured("--sizes=4096", "--shares=3"))
        self.assertIn("3 shares: there are 2 ranks", said)

    def test_more_ranks_than_devices_named_are_refused(self):
        said = self.ends(2, 3, os.environ["LADDER"], *measured("--sizes=4096", "--devices=0,1"))
        self.assertIn("rank 2: --devices names 2 devices, and this is rank 3 of its host", said)

    def on_fakes(self, name):
        """Starts two ranks; the second sees a single device. `name`: name of each rank's device, as a shell expression. Further
        variables may follow it."""
        words = " ".join(["--backends=mpi/apart", "--rungs=m03", "--types=i32", "--sizes=4096", "--samples=2", "--no-ceilings"])
        return start(2, "bash", "-c", f"FAKE_ID={name} exec {os.environ['FAULTY']} {words} --records={self.records}",
                     LADDER_FAULT="1:sees_one")

    def test_a_launcher_may_show_each_rank_one_device(self):
        status, said, _ = self.on_fakes("device-$OMPI_COMM_WORLD_RANK")
        self.assertEqual(status, 0, said)
        self.assertEqual(self.lines("run")[0]["devices"][0]["id"], "device-0+device-1")

    def test_a_slowdown_of_any_rank_counts(self):
        status, said, _ = self.on_fakes("device-$OMPI_COMM_WORLD_RANK FAKE_THROTTLED=\"1 $((2 * OMPI_COMM_WORLD_RANK))\"")
        self.assertEqual(status, 0, said)
        self.assertEqual([line["what"] for line in self.lines("disturbed")],
                         ["rank 1 thermal slowdown, made up", "rank 1 thermal slowdown"])

    def test_one_device_is_not_shown_to_two_ranks(self):
        status, said, _ = self.on_fakes("the-same")
        self.assertEqual(status, 2, said)
        self.assertIn("rank 1: there is no GPU 1: 1 was found", said)

    def test_a_patience_that_is_no_number_ends_all(self):
        for given in ("much", "inf", "-1"):
            said = self.ends(2, 2, os.environ["LADDER"], *measured("--sizes=64"), LADDER_MPI_PATIENCE=given)
            self.assertIn(f"LADDER_MPI_PATIENCE: '{given}': expected seconds", said)

    def test_an_option_that_is_wrong_ends_all(self):
        status, said, seconds = start(3, os.environ["LADDER"], "--rungs=m77")
        self.assertEqual(status, 2, said)
        self.assertLess(seconds, LIMIT)

    def test_without_mpirun_it_says_what_to_do(self):
        done = subprocess.run([os.environ["LADDER"], *measured("--sizes=64")], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("mpirun -n", done.stderr)


class Faults(Recorded):
    def fault(self, what, *more, ranks=3, samples=2000, **variables):
        status, said, seconds = start(ranks, os.environ["FAULTY"],
                                      *measured("--sizes=4096", f"--samples={samples}", f"--records={self.records}", *more),
                                      LADDER_FAULT=what, **variables)
        told = re.search(r"the fault comes at ([\d.]+)", said)
        if told:
            seconds = time.time() - float(told[1])
        self.assertNotEqual(status, 0, said)
        self.assertLess(seconds, LIMIT + 1, said)
        return status, said

    def test_what_befalls_a_rank_on_the_way_ends_all_and_keeps_the_samples(self):
        gone = "s longer than it should for .*: another rank is gone or hangs"
        for what, status, words in (
                ("1:dies", None, "rank 1"), ("2:dies", None, "rank 2"), ("0:dies", None, "rank 0"),  # message of mpirun
                ("1:hangs", None, f"has waited 8 {gone}"), ("2:stops", None, f"has waited 2 {gone}"),
                ("1:fails", 1, "rank 1: its memory has come loose"),
                ("1:loses_step", 1, r"rank \d: is before sample \d+, and another rank is not")):
            with self.subTest(what):
                self.records.unlink(missing_ok=True)
                shorter = {"LADDER_MPI_PATIENCE": "2"} if what == "2:stops" else {}
                found, said = self.fault(what, **shorter)
                if status:
                    self.assertEqual(found, status, said)
                self.assertRegex(said, words)
                self.assertGreater(len(self.lines("sample")), 0)

    def test_what_one_rank_lacks_or_gets_wrong_is_named(self):
        for what, status, words in (("1:has_no_device", 2, "rank 1: there is no GPU 1: 1 was found"),
                                    ("2:has_no_memory", 2, "rank 2: not enough memory"), ("2:is_wrong", 1, "wrong")):
            with self.subTest(what):
                found, said = self.fault(what, samples=20)  # all samples are taken: no fault ends the run early
                self.assertEqual(found, status, said)
                self.assertIn(words, said)

    def test_ranks_of_different_builds(self):
        status, said, seconds = start(1, os.environ["LADDER"], *measured("--sizes=64"), ":", "-n", "2", os.environ["FAULTY"],
                                      *measured("--sizes=64"))
        self.assertEqual(status, 2, said)
        self.assertIn("the ranks run different builds", said)
        self.assertLess(seconds, LIMIT)


class Contract(Recorded):
    def test_what_every_rung_promises_holds_on_two_ranks(self):
        """Runs all backends of the build in one process: those of the host share its device and memory."""
        said = self.ends(0, 2, os.environ["CONTRACT"], "--gtest_filter=Contract/mpi/cpu.*:Contract/mpi/kokkos/openmp.*",
                         "--gtest_brief=1", "--gtest_color=no")
        self.assertRegex(said, r"PASSED.* [12][0-9] tests")


if __name__ == "__main__":
    if os.environ.get("HAVE_MPI") != "1" or MPIRUN is None:
        print("No MPI here (Debian and Ubuntu: libopenmpi-dev openmpi-bin): nothing of ranks is tested.")
        sys.exit(77)
    unittest.main(verbosity=2)
