"""bench/report: the processes of a study are merged into one measurement with the interval between them."""

import math
import unittest

import made
from cases import Case
from report import compare, intervals, processes
from running import run_main

CUDA, HIP = ("cuda", "r02"), ("hip", "r02")
SLOW = (4e-3, 4.4e-3, 3.6e-3)  # times of cuda r02, one per process
BOTH = [{CUDA: one, HIP: 1.25 * one} for one in SLOW]  # a study of three processes
FIVE = [{CUDA: 4e-3 * drift, HIP: 5e-3 * drift * noise} for drift, noise in (
    (1, 1.001), (1.1, 0.999), (0.9, 1), (1.05, 1.0005), (0.98, 0.9995))]
RIGHT = {"wrong": 0, "failed": 0, "error": None, "count": 5, "midmean": 1e-3}


class Arithmetic(unittest.TestCase):
    def test_the_largest_error_of_all_processes_is_told(self):
        self.assertEqual(processes.summed([RIGHT | {"ulps": ulps} for ulps in (1.0, 7.0, None, 2.0)])["ulps"], 7.0)

    def test_what_was_wrong_or_failed_once_is_not_right(self):
        self.assertEqual(processes.status_of(RIGHT), "right")
        for change, status in (({"wrong": 1}, "wrong"), ({"failed": 1}, "failed"), ({"error": "x"}, "failed"),
                               ({"count": 0}, "failed"), ({"midmean": None}, "failed")):
            self.assertEqual(processes.status_of(RIGHT | change), status)


class Joined(Case):
    def row(self, lines, backend="cuda"):
        study = self.read(lines)
        row, = (row for row in study.rows if row["backend"] == backend)
        return row, study

    def test_processes_of_one_group_are_one_run(self):
        row, study = self.row(made.processes(*BOTH))
        self.assertEqual(study.problems, [])
        self.assertEqual(len(study.rows), 2)
        self.assertEqual((row["run"], row["processes"], row["count"], row["samples"]), ("p1", 3, 15, 15))
        self.assertEqual(row["by_process"], dict(zip(("p1", "p2", "p3"), SLOW)))
        self.assertEqual((row["time"], row["p5"], row["p95"]), (4e-3, 4e-3 * 0.9, 4e-3 * 1.1))
        self.assertEqual((row["low"], row["high"]), intervals.of(SLOW).ends)
        self.assertEqual(row["uncertainty"], intervals.of(SLOW).uncertainty)
        self.assertEqual((study.runs["p1"]["processes"], list(map(len, study.samples["p1", "cuda-r02"].values()))), (3, [5] * 3))

    def test_ceilings_are_of_each_process(self):
        lines, swept = made.processes(*BOTH), iter((900.0, 1000.0, 800.0))
        for line in lines:
            if line["kind"] == "ceiling":
                line["gbs"] = next(swept)
        row, _ = self.row(lines)
        parts = [(1 << 20) / seconds / 1e9 / gbs for seconds, gbs in zip(SLOW, (900.0, 1000.0, 800.0))]
        self.assertEqual((row["ceiling_gbs"], len(row["ceiling_where"])), (900.0, 3))
        for found, expected in zip(row["parts"].values(), parts, strict=True):
            self.assertAlmostEqual(found, expected)
        self.assertAlmostEqual(row["of_ceiling"], math.prod(parts) ** (1 / 3))
        self.assertAlmostEqual(row["of_ceiling_uncertainty"], intervals.of(parts).uncertainty)

    def test_a_ceiling_of_one_input_is_that_of_its_measurements_alone(self):
        lines = made.processes(*BOTH)
        swept = [line for line in lines if line["kind"] == "ceiling"]
        for line in swept:
            line["input"] = {"type": "f32", "data": "exact", "op": "sum"}
        for of in ({"type": "f32", "data": "exact", "op": "min"}, {"type": "f32", "data": "uniform"}):
            lines += [line | {"input": of, "gbs": 2 * line["gbs"]} for line in swept]
        row, _ = self.row(lines)
        self.assertEqual(row["ceiling_gbs"], 900.0)
        for line in lines:
            if line["kind"] == "measurement":
                line["op"] = "min"
        self.assertEqual(self.row(lines)[0]["ceiling_gbs"], 1800.0)

    def test_a_chain_has_no_ceiling(self):
        self.assertIsNone(self.row(made.processes(*BOTH, scope="chain"))[0]["of_ceiling"])

    def test_one_wrong_process_makes_it_wrong(self):
        lines = made.processes(*BOTH)
        next(line for line in lines if line["kind"] == "summary" and line["run"] == "p2").update(wrong=2, count=3, median=None)
        row, _ = self.row(lines)
        self.assertEqual((row["status"], row["time"], row["wrong"], row["count"], row["processes"]), ("wrong", None, 2, 13, 2))

    def test_an_unfinished_process_is_told_and_the_others_count(self):
        lines = made.processes(*BOTH)[:-1]
        row, study = self.row(lines, "hip")
        self.assertEqual((row["status"], row["processes"], len(row["by_process"])), ("right", 2, 2))
        self.assertRegex("\n".join(map(str, study.problems)), "run p3 was stopped: 1 of its measurements lack a summary")

    def test_missing_processes_are_told(self):
        row, study = self.row([line for line in made.processes(*BOTH) if line["run"] != "p2"])
        problem, = study.problems
        self.assertEqual((row["processes"], problem.text),
                         (2, "run p1 has 2 of its 3 processes: --resume takes what is missing"))

    def test_a_resumed_process_is_one_and_no_other_takes_its_samples(self):
        lines = made.processes(*BOTH)
        stopped = [line for line in lines if not (line["run"] == "p2" and line["kind"] == "summary" and line["id"] == "hip-r02")]
        again = [line | {"run": "p2b"} for line in lines if line["run"] == "p2" and line.get("id", "hip-r02") == "hip-r02"]
        row, study = self.row(stopped + again, "hip")
        self.assertEqual(study.problems, [])
        self.assertEqual((row["processes"], row["samples"], list(row["by_process"])), (3, 20, ["p1", "p3", "p2b"]))
        row, _ = self.row(lines + [line for line in again if line["kind"] != "sample"], "hip")  # p2 was whole
        self.assertEqual((row["processes"], row["samples"], list(row["by_process"])), (3, 15, ["p1", "p3", "p2b"]))
        row, study = self.row(stopped, "hip")  # the summary of the third process does not finish the second
        self.assertEqual((row["processes"], len(study.problems)), (2, 1))


class Told(Case):
    def test_a_ratio_of_the_same_processes_is_surer_than_either_side(self):
        found, note = self.beside(made.processes(*FIVE))
        self.assertEqual(found["r02"].text, "0.800 ± 0.001")  # 0.8 within 0.08 %; each side alone is known to 10 %
        self.assertNotIn("One process", note)
        self.assertIn("n = 5 processes", note)

    def test_separate_studies_are_held_by_welchs_interval(self):
        one = made.processes(*({CUDA: one[CUDA]} for one in FIVE))
        two = made.processes(*({HIP: one[HIP]} for one in FIVE), run="q")
        self.assertEqual(self.beside(one, two)[0]["r02"].text, "0.80 ± 0.10 *")

    def test_a_single_process_says_that_the_next_is_not_known(self):
        self.assertEqual(self.ladder(made.records())[1].count("One process: how far the next would differ is not known"), 1)

    def test_ladders_have_the_interval_where_there_are_several_processes(self):
        (row, *_), note = self.ladder(made.processes(*FIVE))
        self.assertEqual([row[head].text for head in ("time", "±", "checked")], ["4.0 ms", "9.4 % (5)", "25 of 25"])
        self.assertIn("±: half of that interval", note)
        (row, *_), note = self.ladder(made.records())
        self.assertEqual((row["±"].text, "±" in note), ("", False))

    def test_compare_judges_by_the_processes(self):
        def compared(old, new):
            return run_main(compare.main, made.write(self.folder / "old.jsonl", old), made.write(self.folder / "new.jsonl", new))

        new = made.processes(*({CUDA: 1.05 * one[CUDA], HIP: 1.3 * one[HIP]} for one in FIVE), run="q")
        status, printed = compared(made.processes(*FIVE), new)
        self.assertEqual(status, 1)
        self.assertIn("1 slower, 0 faster, 0 no change, 1 too noisy to tell", printed)
        self.assertNotIn("samples alone", printed)
        _, printed = compared(made.records("a", FIVE[0]), made.records("b", FIVE[0]))
        self.assertIn("2 of 2 intervals are of samples alone, since a side has one process", printed)
