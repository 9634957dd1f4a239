"""tools/pack.py: packed records have the content of the program's records, and complete processes only."""

import gzip
import json

import cases
import made
import pack
from report import records
from running import ROOT, run_main

ACCURACY = ROOT / "docs" / "results" / "epyc-2" / "accuracy.jsonl.gz"
TWO = [{("cuda", "r02"): 4e-3 * drift, ("hip", "r02"): 5e-3 * drift} for drift in (1, 1.1)]


class Pack(cases.Case):
    def pack(self, *paths):
        """(exit status, packed records, output)"""
        out = self.folder / "packed.jsonl.gz"
        status, said = run_main(pack.main, *paths, out)
        return status, [json.loads(line) for line in gzip.decompress(out.read_bytes()).splitlines()], said

    def shortened(self, summary):
        return {name: value for name, value in summary.items() if value is not None} | {"p5": 0.0036}

    def same_rows(self, *paths):
        """Compares the content of both files, except source lines and invisible digits."""
        one, other = (records.read([path]) for path in paths)
        self.assertEqual(*([{**row, "where": "", "summary_where": (), "ceiling_where": (),
                             **{name: f"{row[name]:.7g}" for name in ("p5", "p95")}} for row in study.rows]
                           for study in (one, other)))
        self.assertEqual(*([{key: {run: [round(1e9 * second) for second in some] for run, some in runs.items()}
                             for key, runs in study.samples.items()},
                            {key: found for key, found in study.results.items() if found}, study.problems]
                           for study in (one, other)))

    def test_starts_of_one_command_are_the_processes_of_a_study_and_of_others_are_not(self):
        one, other = (made.write(self.folder / f"{name}.jsonl", made.records(name, medians))
                      for name, medians in zip("ab", TWO, strict=True))
        status, packed, said = self.pack("--starts", one, other)
        self.assertEqual((status, said), (0, ""))
        self.assertEqual([line["process"] for line in packed if line["kind"] == "run"],
                         [{"index": index, "of": 2, "group": "a"} for index in (1, 2)])
        self.assertEqual({row["processes"] for row in records.read([self.folder / "packed.jsonl.gz"]).rows}, {2})
        lines = made.records("b", TWO[1])
        lines[0]["command"] = ["ladder", "--quick"]
        with self.assertRaisesRegex(pack.Failure, "b.jsonl: has another command, commit, build or device than .*a.jsonl"):
            self.pack("--starts", one, made.write(other, lines))

    def test_what_is_read_stays_as_it_is_of_committed_records_and_of_several_processes(self):
        for path, count in ((ACCURACY, None), (made.write(self.folder / "a.jsonl", made.processes(*TWO)), 4)):
            status, packed, said = self.pack(path)
            kinds = [line["kind"] for line in packed]
            self.assertEqual((status, said, kinds.count("sample")), (0, "", 0))
            self.assertIn(count, (None, kinds.count("samples")))
            self.same_rows(path, self.folder / "packed.jsonl.gz")

    def test_what_processes_measured_alike_is_written_once(self):
        lines = made.processes(*TWO, {("cuda", "r02"): 4e-3, ("hip", "r02"): 5e-3})
        for line in lines:
            if line["run"] == "p3" and line["kind"] == "measurement" and line["backend"] == "hip":
                line["registers"] = 40
        path = made.write(self.folder / "a.jsonl", lines)
        status, packed, said = self.pack(path)
        self.assertEqual((status, said), (0, ""))
        self.assertEqual([(line["run"], line["id"]) for line in packed if line["kind"] == "measurement"],
                         [("p1", "cuda-r02"), ("p1", "hip-r02"), ("p3", "hip-r02")])
        self.same_rows(path, self.folder / "packed.jsonl.gz")
        # Without the first process the measurements of the others have no description, which is reported.
        path = made.write(self.folder / "b.jsonl", [line for line in packed if line["kind"] != "measurement"])
        self.assertIn("a summary of a measurement that is not described before it: left out (and 5 more lines like it)",
                      "\n".join(map(str, records.read([path]).problems)))

    def test_a_summary_has_its_time_in_full_and_of_the_rest_what_does_not_follow(self):
        lines = made.records("r1", {("cuda", "r02"): 4.123456789012e-3})
        lines[-1] |= {"midmean": 4.234567890123e-3, "gbs": 1.0, "of_peak": 0.1, "of_ceiling": 0.2, "elements_per_second": 1.0,
                      "of_ceiling_uncertainty": 0.1, "name": "reduce/cuda", "step": {"versus": "r02", "factor": 1.23456789012},
                      "ulps": 0.0}
        *_, summary = self.pack(made.write(self.folder / "a.jsonl", lines))[1]
        self.assertEqual(summary, {"kind": "summary", "run": "r1", "id": "cuda-r02", "count": 5, "wrong": 0, "failed": 0,
                                   "midmean": 4.234567890123e-3, "median": 4.123457e-3, "p5": 3.711111e-3, "p95": 4.535802e-3,
                                   "uncertainty": 1e-4, "step": {"versus": "r02", "factor": 1.23456789012}, "ulps": 0.0})

    def test_evidence_and_rounds_of_energy_stay_as_they_are_and_rounds_are_whole(self):
        run = made.records("r1")[0] | {"process": {"group": "r1", "index": 1, "of": 1}}
        evidence = {"kind": "evidence", "run": "r1", "backend": "cuda", "rung": "r02", "type": "f32", "op": "sum", "n": 4,
                    "facts": {}}
        for lines, kept, said in (([run, evidence], [run, evidence], ""), (made.energy(), made.energy(), ""),
                                  (made.energy()[:-1] + made.energy("e2"), made.energy("e2"),
                                   "pack: run e1 was stopped: left out\n")):
            self.assertEqual(self.pack(made.write(self.folder / "a.jsonl", lines)), (1 if said else 0, kept, said))

    def test_samples_are_whole_nanoseconds_in_order_and_the_rest_is_as_it_was(self):
        lines = made.records("r1", {("cuda", "r02"): 4e-3})
        samples = [line for line in lines if line["kind"] == "sample"]
        for index, line in enumerate(samples):
            line |= {"seconds": (5 - index) * 1e-6 + 4e-10, "result": str(index % 2)}
        wrong = samples[0] | {"ok": False, "seconds": None}
        status, packed, _ = self.pack(made.write(self.folder / "a.jsonl", lines + [wrong]))
        self.assertEqual(status, 0)
        self.assertEqual(packed[4], {"kind": "samples", "run": "r1", "id": "cuda-r02", "results": {"0": 3, "1": 2},
                                     "nanoseconds": [5000, 4000, 3000, 2000, 1000]})
        self.assertEqual([*packed[:4], packed[5]], [*lines[:2], wrong, lines[2], self.shortened(lines[-1])])
        again = self.pack(self.folder / "packed.jsonl.gz")[1]
        self.assertEqual(again, packed)

    def test_a_process_that_was_stopped_is_left_out_and_told_and_one_that_was_resumed_is_whole(self):
        lines = made.processes(*TWO)
        for cut in (lines[:-1], lines[:len(lines) // 2 + 1]):  # without its last summary; with only its run record
            status, packed, said = self.pack(made.write(self.folder / "a.jsonl", cut))
            self.assertEqual((status, said), (1, "pack: run p2 was stopped: left out\n"))
            self.assertEqual({line["run"] for line in packed}, {"p1"})
        stopped = [line for line in lines if not (line["run"] == "p2" and line["kind"] == "summary" and line["id"] == "hip-r02")]
        again = [line | {"run": "p2b"} for line in lines if line["run"] == "p2" and line.get("id", "hip-r02") == "hip-r02"]
        path = made.write(self.folder / "a.jsonl", stopped + again)
        status, packed, _ = self.pack(path)
        self.assertEqual((status, [line["kind"] for line in packed].count("samples")), (0, 4))
        self.same_rows(path, self.folder / "packed.jsonl.gz")

    def test_what_cannot_be_packed_is_told_in_a_sentence(self):
        with self.assertRaisesRegex(pack.Failure, "nothing to pack"):
            run_main(pack.main, self.folder / "absent.jsonl", self.folder / "out.jsonl.gz")
        path = made.write(self.folder / "a.jsonl", made.records())
        with self.assertRaisesRegex(pack.Failure, "/proc/x.jsonl.gz: cannot be written: "):
            run_main(pack.main, path, "/proc/x.jsonl.gz")

    def test_a_records_file_is_not_written_over_where_the_packed_one_is_not_named(self):
        path = made.write(self.folder / "a.jsonl", made.records())
        before = path.read_bytes()
        with self.assertRaisesRegex(pack.Failure, "a.jsonl: is not written over"):
            run_main(pack.main, ACCURACY, path)
        self.assertEqual(path.read_bytes(), before)
