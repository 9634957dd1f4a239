"""tools/measure_set.sh over a program that measures nothing: what it is asked for, part by part."""

import pathlib
import re
import subprocess
import tempfile
import time
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "measure_set.sh"
PROGRAM = """#!/bin/sh
case $* in
  *--benchmark_list_tests*)
    printf 'reduce/%s/r04_sequential/f32/sum/n:1024\\n' $BACKENDS
    printf 'reduce/cpu/%s/f32/sum/n:1024/exact\\n' $NAMES
    exit ;;
esac
echo "${OMP_WAIT_POLICY:+$OMP_WAIT_POLICY }${OMP_NUM_THREADS:+$OMP_NUM_THREADS threads }$*" >>"$0.calls"
if [ -n "$STAYS" ]; then echo $$ >"$0.process"; exec sleep 60; fi
case $* in *--energy*) STATUS=${ENERGY:-$STATUS} ;; esac
if [ "$STATUS" = 2 ]; then echo "nothing counts it"; exit 2; fi
for option; do case $option in --records=*) echo one >>"${option#*=}" ;; esac; done
exit ${STATUS:-0}
"""


class MeasureSet(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "ladder"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def run_it(self, *words, backends="cuda hip kokkos/cuda cpu kokkos/serial", status=0, energy="",
               path="/usr/bin:/bin", names="c07_accumulators c09_prefetch c13_tuned library_std_reduce"):
        """The exit status, what was said, and the program's command lines."""
        done = subprocess.run([SCRIPT, f"--ladder={self.program}", f"--to={self.folder / 'records'}", *words], text=True,
                              capture_output=True, env={"PATH": path, "BACKENDS": backends, "STATUS": str(status),
                                                   "ENERGY": str(energy),
                                                   "NAMES": names})
        calls = pathlib.Path(f"{self.program}.calls")
        return done.returncode, done.stdout + done.stderr, calls.read_text().splitlines() if calls.exists() else []

    def test_without_parts_it_takes_those_of_the_gpu(self):
        status, said, calls = self.run_it()
        self.assertEqual(status, 0, said)
        files = sorted(path.name for path in (self.folder / "records").glob("*.jsonl"))
        self.assertEqual(files, [f"{part}.jsonl" for part in
                                 ("accuracy", "energy", "rungs", "sizes_cold", "sizes_host", "sizes_hot", "types",
                                  "types_native")])
        for call in calls:
            for option in ("--processes=5", "--resume"):
                self.assertEqual(option in call, "--energy" not in call, call)
        options = calls[-1].split()
        self.assertEqual(options[:2], ["--energy", "--backends=cuda,hip,kokkos/cuda"])
        self.assertEqual(options[-1], f"--records={self.folder}/records/energy.part")
        self.assertIn("--backends=cuda,hip,kokkos/cuda ", calls[0])
        self.assertEqual(sum("--rungs=r00..r31" in call for call in calls), 1)

    def test_without_a_gpu_it_takes_the_cpu(self):
        status, said, calls = self.run_it(backends="cpu kokkos/openmp")
        self.assertEqual(status, 0, said)
        self.assertIn("--backends=cpu,kokkos/openmp ", calls[0])
        self.assertIn("--energy --backends=cpu,kokkos/openmp ", calls[-1])
        files = sorted(path.name for path in (self.folder / "records").glob("*.jsonl"))
        parts = ["cpu", "cpu_cache", "cpu_memory", "energy", "threads", "waking"]
        self.assertEqual(files, [f"{part}.jsonl" for part in parts])
        [memory] = [call for call in calls if "cpu_memory" in call]
        self.assertRegex(memory, r"--sizes=(1|2|4|8)GiB ")

    def test_limits_are_measured_on_zeros(self):
        status, said, calls = self.run_it("limits_told", "limits_collected")
        self.assertEqual(status, 0, said)
        self.assertEqual(["limit_told" in call and "--scope=host" in call for call in calls], [True, False])
        self.assertTrue(all(f"--data=file:{self.folder}/records/zeros" in call for call in calls), calls)
        self.assertFalse((self.folder / "records" / "zeros").exists())

    def test_errors_are_of_every_rung_and_of_sums_that_cancel(self):
        status, said, calls = self.run_it("accuracy_all", "accuracy_cpu")
        self.assertEqual(status, 0, said)
        on_gpu, on_cpu = calls[:2], calls[2:]
        for call, data in zip(on_gpu, ("uniform", "normal"), strict=True):
            for option in ("--backends=cuda,hip,kokkos/cuda", "--rungs=r00..r31,lib", "--block=128,512", "--grid=2x,16x",
                           "--samples=100", "--types=f32,f16,bf16", "--sizes=2^20", f"--data={data}",
                           "--no-ceilings", "--scope=kernel"):
                self.assertIn(f"{option} ", call)
        self.assertEqual(["--rungs=c00..c13,r00..r31,lib " in call for call in on_cpu], [True, True, False])
        self.assertIn("--workers=1 ", on_cpu[2])

    def test_each_condition_number_has_data_of_its_own(self):
        (self.folder / "bin").mkdir()
        python = self.folder / "bin" / "python3"
        python.write_text('#!/bin/sh\nshift\necho "$*" >>"$0.calls"\n: >"$1"\n')
        python.chmod(0o755)
        status, said, calls = self.run_it("cancelling_all", path=f"{python.parent}:/usr/bin:/bin")
        self.assertEqual(status, 0, said)
        made = pathlib.Path(f"{python}.calls").read_text().splitlines()
        self.assertEqual((len(made), len(calls)), (32, 32))
        for words, call in zip(made, calls, strict=True):
            file, *options = words.split()
            self.assertIn(f"--data=file:{file} ", call)
            kind, power, size = re.search(r"cancelling_(\w+)_1e(\d+)_2\^(\d+)", file).groups()
            self.assertEqual(options, [f"--elements={1 << int(size)}", f"--condition=1e{power}", f"--type={kind}"])
            self.assertIn(f"--types={kind} --sizes=2^{size} ", call)
        self.assertEqual(list((self.folder / "records").glob("cancelling_*_2*")), [], "it is gone again")
        self.assertEqual((self.folder / "records" / "cancelling_all.jsonl").read_text(), "one\n" * 32)

    def test_threads_are_an_axis_of_the_cpu_and_kokkos_has_a_process_for_each_number(self):
        _, said, calls = self.run_it("threads", backends="cpu kokkos/openmp")
        own, kokkos = ([call for call in calls if f"--backends={backend} " in call] for backend in ("cpu", "kokkos/openmp"))
        self.assertEqual(len(own), 2, said)
        [counts] = {call.split("--workers=")[1].split()[0] for call in own}
        counts = [int(count) for count in counts.split(",")]
        self.assertEqual(counts[0], 1)
        self.assertEqual(counts, sorted(set(counts)))
        self.assertEqual([call.split(" threads ")[0] for call in kokkos], [str(count) for count in counts] * 2)
        self.assertTrue(all("--rungs=c07,c09,c13,library_std_reduce " in call for call in own), "those that there are")
        self.assertEqual((self.folder / "records" / "threads.jsonl").read_text(), "one\n" * len(calls))
        self.assertFalse((self.folder / "records" / "threads").exists())

    def test_waking_is_measured_alone_for_each_model_and_wait_policy(self):
        _, said, calls = self.run_it("waking", backends="cpu kokkos/openmp")
        for policy in ("passive", "active"):
            of = [call for call in calls if call.startswith(f"{policy} ")]
            own = [call for call in of if "--backends=cpu " in call]
            self.assertEqual([call.split("--rungs=")[1].split()[0] for call in own], ["c07", "c13", "library_std_reduce"], said)
            self.assertTrue(all("--workers=1," in call for call in own))
            self.assertEqual(len(of) - len(own), 2, "Kokkos by one thread and by all")
            self.assertTrue(of[-2].startswith(f"{policy} 1 threads "))

    def test_what_stopped_among_several_environments_goes_on_there(self):
        status, _, calls = self.run_it("waking", backends="cpu", status=130)
        self.assertEqual((status, len(calls)), (130, 1))
        status, said, calls = self.run_it("waking", backends="cpu")
        self.assertEqual((status, len(calls)), (0, 7), said)
        self.assertTrue(all("--resume" in call for call in calls))
        self.assertEqual((self.folder / "records" / "waking.jsonl").read_text(), "one\n" * 7, "with what was there at the stop")

    def test_variants_of_small_sizes_are_those_that_the_program_has(self):
        _, said, calls = self.run_it("kokkos_small", names="r30_tuned r31_one_trip variant_any variant_hand variant_small_folds")
        [call] = calls
        self.assertIn("--backends=cuda,kokkos/cuda --rungs=r30,r31,variant_any,variant_small_folds ", call, said)
        self.assertIn("--sizes=2^10..2^24 ", call)
        self.assertIn("--cache=both ", call)
        self.assertIn("--processes=5 ", call)
        self.run_it("kokkos_small", "--rungs=r30", f"--to={self.folder / 'others'}")
        self.assertIn("--rungs=r30 ", pathlib.Path(f"{self.program}.calls").read_text().splitlines()[-1])

    def test_variants_of_rungs_past_the_ladders_stand_beside_the_rungs(self):
        names = "r27_compensated r28_fixed_tree r29_order_free r30_tuned r31_one_trip"
        _, said, calls = self.run_it("kokkos_past", names=f"{names} variant_past_r28_native variant_past_r29_plain")
        self.assertIn("--backends=cuda,kokkos/cuda --rungs=r27,r28,r29,r31,variant_past_r28_native,variant_past_r29_plain ",
                      calls[-1], said)
        self.assertIn("--sizes=2^24,2^26,2^27,2^28 --cache=cold --scope=kernel ", calls[-1])
        self.assertIn("--processes=5 ", calls[-1])
        names = "r21_cooperative_grid r23_cluster variant_r21_fences variant_r23_sent"
        _, said, calls = self.run_it("past_variants", names=names)
        self.assertIn("--backends=cuda,hip --rungs=r21,variant_r21_fences --sizes=2^12,2^16,2^20,2^24 ", calls[-1], said)

    def test_pages_are_measured_in_a_process_of_each_kind(self):
        _, said, calls = self.run_it("cpu_pages")
        self.assertEqual([call.split("--pages=")[1].split()[0] for call in calls], ["large", "small"], said)
        self.assertTrue(all("--rungs=c07,c08,c09 " in call and "--cache=cold " in call for call in calls), calls)
        for pages in ("large", "small"):
            self.assertEqual((self.folder / "records" / f"cpu_pages_{pages}.jsonl").read_text(), "one\n")

    def test_levels_are_measured_beside_their_ceiling(self):
        _, said, calls = self.run_it("cpu_levels")
        [call] = calls
        self.assertIn("--sizes=1KiB,8KiB,64KiB,512KiB,4MiB,32MiB,256MiB,2GiB,4GiB --cache=both ", call, said)
        self.assertNotIn("--no-ceilings", call)

    def test_steps_of_the_cpu_take_the_variants_that_the_program_has(self):
        _, said, calls = self.run_it("cpu_steps", names="c05_clause c13_tuned variant_two_chains variant_unwatched library_eigen")
        self.assertEqual([call.split("--rungs=")[1].split()[0] for call in calls],
                         ["c03,c04", "c05,variant_two_chains", "c13,variant_unwatched,library_eigen", "c07..c13"], said)
        self.assertIn("--workers=1,2 ", calls[0])

    def test_types_of_all_models_are_measured_in_the_same_processes(self):
        _, said, calls = self.run_it("types", "types_native")
        self.assertEqual(len(calls), 2, said)
        self.assertIn("--backends=cuda,hip,kokkos/cuda ", calls[0])
        self.assertIn("--backends=cuda --rungs", calls[1])

    def test_where_nothing_counts_the_energy_the_rest_is_measured(self):
        status, said, calls = self.run_it("energy", "rungs", energy=2)
        self.assertEqual((status, len(calls)), (0, 2), said)
        self.assertIn("nothing counts it", said)
        self.assertEqual([path.name for path in (self.folder / "records").glob("*.jsonl")], ["rungs.jsonl"])

    def test_rounds_of_energy_are_not_taken_up_again(self):
        self.assertEqual(self.run_it("energy", energy=130)[0], 130)
        self.assertEqual(self.run_it("energy", "--rungs=r30")[0], 0)
        self.assertEqual((self.folder / "records" / "energy.jsonl").read_text(), "one\n")

    def test_a_part_that_is_finished_is_passed_over(self):
        self.run_it("rungs", "--processes=2")
        _, said, calls = self.run_it("rungs", "sizes_cold", "--processes=2")
        self.assertIn("rungs: is there", said)
        self.assertEqual(["--cache=hot" in call for call in calls], [False] * 2)
        self.assertEqual(sum("--sizes=2^4..2^30" in call for call in calls), 1)

    def test_some_rungs_alone(self):
        _, _, calls = self.run_it("rungs", "sizes_hot", "--rungs=r30")
        self.assertEqual(["--rungs=r30 " in call for call in calls], [True, True])

    def test_a_stop_leaves_the_part_open_and_ends_it_all(self):
        status, _, calls = self.run_it("rungs", "sizes_cold", status=130)
        self.assertEqual((status, len(calls)), (130, 1))
        self.assertFalse((self.folder / "records" / "rungs.jsonl").exists())
        self.assertTrue((self.folder / "records" / "rungs.part").exists())

    def test_sigterm_stops_the_program_too(self):
        """In a part of one run, and in one of several environments."""
        for part in ("cpu_memory", "waking"):
            process = pathlib.Path(f"{self.program}.process")
            process.unlink(missing_ok=True)
            begun = subprocess.Popen([SCRIPT, f"--ladder={self.program}", f"--to={self.folder / 'records'}", part],
                                     stdout=subprocess.DEVNULL, env={"PATH": "/usr/bin:/bin", "BACKENDS": "cpu kokkos/openmp",
                                                                     "NAMES": "c13_tuned", "STAYS": "1"})
            limit = time.monotonic() + 30
            while not (process.exists() and process.read_text().strip()) and time.monotonic() < limit:
                time.sleep(0.02)
            begun.terminate()
            self.assertEqual(begun.wait(timeout=30), 143, part)
            self.assertFalse(pathlib.Path("/proc", process.read_text().strip()).exists(), part)

    def test_what_is_unknown_is_refused(self):
        status, said, calls = self.run_it("everything")
        self.assertEqual((status, calls), (2, []))
        self.assertIn("unknown: everything", said)


if __name__ == "__main__":
    unittest.main()
