"""tools/measure_set.py: the commands of each part, with a stand-in that measures nothing."""

import json
import pathlib
import resource
import subprocess
import time

from running import ROOT, InFolder, run_tool

SCRIPT = ROOT / "tools" / "measure_set.py"
PROGRAM = """#!/bin/sh
case $* in
  *--list\\ *) cat "$0.list"; exit ;;
  *--benchmark_list_tests*) printf 'reduce/%s/r04_sequential/f32/sum/n:1024\\n' $BACKENDS; exit ;;
esac
echo "${OMP_WAIT_POLICY:+$OMP_WAIT_POLICY }${OMP_NUM_THREADS:+$OMP_NUM_THREADS threads }$*" >>"$0.calls"
if [ -n "$STAYS" ]; then sleep 1; echo $$ >"$0.process"; exec sleep 60; fi  # by then it has been started
case $* in *--energy*) STATUS=${ENERGY:-$STATUS} ;; esac
if [ "$STATUS" = 2 ]; then echo "nothing counts it"; exit 2; fi
for option; do case $option in --records=*) echo one >>"${option#*=}" ;; esac; done
exit ${STATUS:-0}
"""
GPU, CPU = "cuda hip kokkos/cuda cpu kokkos/serial", "cpu kokkos/openmp"


class MeasureSet(InFolder):
    def setUp(self):
        super().setUp()
        self.records = self.folder / "records"
        self.ladder = self.program("ladder", PROGRAM)
        rungs = [{"id": rung, "backend": backend} for backend in (*GPU.split(), "kokkos/openmp") for rung in (
            ["c00", "c07", "c09", "c13", "c42", "library_std_reduce"] if backend == "cpu" else ["r00", "r30", "r99"])]
        listed = {"ladders": {"device": [{"id": "r12"}]}, "rungs": rungs}
        pathlib.Path(f"{self.ladder}.list").write_text(json.dumps(listed, indent=1))

    def run_it(self, *words, backends=GPU, status=0, energy="", **more):
        """(exit status, output, the program's command lines)"""
        found = run_tool("measure_set.py", f"--ladder={self.ladder}", f"--to={self.records}", *words, env={
            "PATH": "/usr/bin:/bin", "BACKENDS": backends, "STATUS": str(status), "ENERGY": str(energy)}, **more)
        calls = pathlib.Path(f"{self.ladder}.calls")
        return *found, calls.read_text().splitlines() if calls.exists() else []

    def made(self):
        return {path.name.removesuffix(".jsonl"): path.read_text() for path in self.records.glob("*.jsonl")}

    def test_without_parts_it_takes_those_of_the_gpu_or_else_of_the_cpu(self):
        status, said, calls = self.run_it()
        self.assertEqual(status, 0, said)
        self.assertEqual(sorted(self.made()), ["accuracy", "energy", "rungs", "sizes_cold", "sizes_host", "sizes_hot", "types",
                                               "types_native"])
        for call in calls:
            for option in ("--processes=5", "--resume"):
                self.assertEqual(option in call, "--energy" not in call, call)
        self.assertRegex(calls[-1], "--energy .*--backends=cuda,hip,kokkos/cuda ")
        self.assertTrue(calls[-1].endswith(f"--records={self.records}/energy.part"), calls[-1])
        self.records = self.folder / "of_cpu"
        status, said, calls = self.run_it(backends=CPU)
        self.assertEqual(sorted(self.made()), ["cpu", "cpu_cache", "cpu_memory", "threads"], said)
        [memory] = [call for call in calls if "cpu_memory" in call]
        self.assertRegex(memory, r"--sizes=(1|2|4|8)GiB ")

    def test_every_rung_of_the_list_is_measured(self):
        _, said, calls = self.run_it("rungs", "cpu_memory")
        rungs = [word for call in calls for word in call.split() if word.startswith("--rungs=")]
        self.assertEqual(rungs, ["--rungs=r00..r99,lib", "--rungs=c07..c42,r30,lib"], said)

    def test_a_program_may_lack_the_rungs_of_other_parts(self):
        rungs = [{"id": rung, "backend": "cuda"} for rung in ("r30", "overlap_none")]
        pathlib.Path(f"{self.ladder}.list").write_text(json.dumps({"rungs": rungs}))
        _, said, [call] = self.run_it("overlap", backends="cuda")
        self.assertIn("--rungs=r30,lib,overlap_none ", call, said)

    def test_a_dry_run_prints_the_commands_and_runs_nothing(self):
        status, said, calls = self.run_it("--dry-run", "rungs", "threads", "energy")
        self.assertEqual((status, calls), (0, []), said)
        self.assertFalse(self.records.exists())
        for words in ("== rungs: ", "--rungs=r00..r99,lib ", "== threads/cpu_cold: ", " --energy "):
            self.assertIn(words, said)

    def test_threads_are_an_axis_of_the_cpu_and_kokkos_has_a_process_for_each_number(self):
        _, said, calls = self.run_it("threads", backends=CPU)
        own, kokkos = ([call for call in calls if f"--backends={backend} " in call] for backend in CPU.split())
        [counts] = {call.split("--workers=")[1].split()[0] for call in own}
        self.assertEqual(counts.split(",")[0], "1")
        self.assertEqual([call.split(" threads ")[0] for call in kokkos], counts.split(",") * 2)
        self.assertTrue(all("--rungs=c07,c09,c13,library_std_reduce " in call for call in own), "those that there are")
        self.assertEqual(self.made(), {"threads": "one\n" * len(calls)}, said)
        self.assertFalse((self.records / "threads").exists())

    def test_energy_is_measured_anew_after_a_stop_and_passed_over_where_nothing_counts_it(self):
        self.assertEqual(self.run_it("energy", energy=130)[0], 130)
        self.assertEqual(self.run_it("energy")[0], 0)
        self.assertEqual(self.made(), {"energy": "one\n"})
        self.records = self.folder / "without"
        status, said, calls = self.run_it("energy", "rungs", energy=2)
        self.assertEqual((status, len(calls), list(self.made())), (0, 4, ["rungs"]), said)
        self.assertIn("nothing counts it", said)

    def test_a_stop_ends_it_all_and_the_part_goes_on_where_it_stopped(self):
        for part, count in (("rungs", 1), ("threads", 2)):  # one run, then several
            before = len(self.run_it(part, "sizes_cold", backends="cuda cpu", status=130)[2])
            self.assertEqual((self.made(), len(list(self.records.rglob("*.part")))), ({}, 1))
            status, said, calls = self.run_it(part, backends="cuda cpu")
            self.assertEqual((status, len(calls) - before), (0, count), said)
            self.assertEqual(self.made(), {part: "one\n" * (count + 1)}, "with what was there")
            (self.records / f"{part}.jsonl").unlink()

    def test_a_part_that_is_finished_is_passed_over(self):
        self.run_it("rungs")
        _, said, calls = self.run_it("rungs", "sizes_hot", "--processes=2")
        self.assertIn("rungs: is there", said)
        self.assertRegex(calls[1], "--cache=hot --scope=kernel .*--processes=2 ")

    def test_a_part_that_could_not_be_written_whole_is_not_finished(self):
        (self.records / "threads").mkdir(parents=True)
        (self.records / "threads" / "cpu_cold.jsonl").write_text("one\n" * 2000)
        status, said, _ = self.run_it("threads", backends=CPU,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000)))
        self.assertEqual((status, self.made()), (1, {}), said)
        self.run_it("threads", backends=CPU)
        self.assertGreater(len(self.made()["threads"]), 8000)

    def test_sigterm_stops_the_program_too(self):
        process = pathlib.Path(f"{self.ladder}.process")
        for part in ("cpu_memory", "threads"):  # one run, then several
            process.unlink(missing_ok=True)
            begun = subprocess.Popen([SCRIPT, f"--ladder={self.ladder}", f"--to={self.records}", part],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                     env={"PATH": "/usr/bin:/bin", "BACKENDS": CPU, "STAYS": "1"})
            limit = time.monotonic() + 30
            while not (process.exists() and process.read_text().strip()) and time.monotonic() < limit:
                time.sleep(0.02)
            begun.terminate()
            self.assertEqual(begun.wait(timeout=30), 143, part)
            self.assertFalse(pathlib.Path("/proc", process.read_text().strip()).exists(), part)

    def test_what_is_unknown_is_refused(self):
        status, said, calls = self.run_it("rungs", "everything")
        self.assertEqual((status, calls), (2, []))
        self.assertIn("unknown: everything", said)
