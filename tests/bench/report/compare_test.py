"""./study compare: verdicts and exit status."""

import math

import made
from cases import Case
from report import compare, pairs
from running import run_main


class Compare(Case):
    def compare(self, old, new, *words):
        return run_main(compare.main, made.write(self.folder / "old.jsonl", old),
                        made.write(self.folder / "new.jsonl", new), *words)

    def expect(self, status, words, old, new, *more):
        found, text = self.compare(old, new, *more)
        self.assertEqual(found, status, text)
        self.assertIn(words, text)

    @staticmethod
    def noisy(run, median, spread=0.0007):
        """One measurement of one process, with a standard error of its time."""
        lines = made.records(run, {("cuda", "r02"): median})
        lines[-1]["uncertainty"] = spread
        return lines

    def test_noise_is_no_change(self):
        self.expect(0, "0 slower, 0 faster, 1 no change", self.noisy("a", 4e-3), self.noisy("b", 4.004e-3))

    def test_a_change_beyond_the_threshold_is_told_either_way(self):
        self.expect(1, "1 slower", self.noisy("a", 4e-3), self.noisy("b", 4.2e-3))
        self.expect(0, "1 faster", self.noisy("a", 4.2e-3), self.noisy("b", 4e-3))
        self.expect(0, "1 no change", self.noisy("a", 4e-3), self.noisy("b", 4.2e-3), "--threshold=10")

    def test_of_one_process_the_interval_is_that_of_the_standard_errors(self):
        slow, fast = ({"by_process": {run: time}, "time": time, "uncertainty": 0.01} for run, time in (("a", 2.0), ("b", 1.0)))
        half = math.exp(1.96 * 0.01 * math.sqrt(2))
        for end, expected in zip(pairs.ratio(slow, fast)[2], (2 / half, 2 * half), strict=True):
            self.assertAlmostEqual(end, expected)
        self.assertIsNone(pairs.ratio(slow | {"uncertainty": math.inf}, fast)[2], "a single sample")

    def test_what_lies_across_the_threshold_is_too_noisy_to_tell(self):
        self.expect(0, "0 slower, 0 faster, 0 no change, 1 too noisy to tell", self.noisy("a", 4e-3, 0.02),
                    self.noisy("b", 4e-3, 0.02))

    def test_at_the_head_stands_what_differs_and_at_the_end_the_mean_of_each_problem(self):
        old, new = made.records("a"), made.records("b", {("cuda", "r02"): 8e-3, ("cuda", "r03"): 2e-3, ("hip", "r02"): 2.5e-3,
                                                          ("hip", "r03"): 2e-3})
        new[0]["commit"] = "abcdef0123"
        new[0]["devices"][0]["facts"] = {"driver": {"value": "580", "source": "made up"}}
        for lines, clock in ((old, 1980), (new, 1755)):
            lines.append({"kind": "conditions", "run": lines[0]["run"], "at": "start", "space": "cuda:0", "seconds": 0,
                          "facts": {"SM clock": {"value": f"{clock} MHz", "source": "made up"},
                                    "temperature": {"value": str(clock), "source": "made up"}}})
        _, text = self.compare(old, new)
        self.assertIn("What differs, old -> new:\n  commit: 0123456789 -> abcdef0123\n"
                      "  SM clock at the start: 1980 MHz -> 1755 MHz\n  driver: not told -> 580\n", text)
        self.assertIn("Geometric mean of new/old:\n  f32 sum 2¹⁸ cold kernel: 1.000 over 4\n", text)
        _, text = self.compare(made.records("a"), made.records("b"))
        self.assertIn("Device, clocks, compilers and commit are the same.\n", text)

    def test_what_is_wrong_now_fails_and_what_is_missing_is_counted(self):
        new = made.records("b")
        next(line for line in new if line["kind"] == "summary")["wrong"] = 1
        unfinished = "summary", "hip-r02"
        new = [line for line in new if line.get("id") != "hip-r03" and (line["kind"], line.get("id")) != unfinished]
        self.expect(1, "1 now wrong, 2 missing", made.records("a"), new)

    def test_another_problem_or_axis_of_tuning_is_nothing_to_compare_and_no_exception(self):
        workers = {"block": None, "workers": 2}
        for old, new in (({}, {"n": 1 << 20}), ({"block": None}, workers), (workers, {"block": None})):
            self.expect(2, "nothing in these records is of the same", made.records("a", **old), made.records("b", **new))

    def test_many_reductions_are_compared_where_shape_and_size_are_the_same(self):
        old = made.records("a", shape="rows:16")
        self.expect(0, "f32 sum rows:16 2¹⁸ cold kernel: 1.000 over 4", old, made.records("b", shape="rows:16"))
        self.expect(2, "nothing in these records is of the same", old, made.records("b", shape="rows:64"))

    def test_two_devices_of_one_name_are_two_machines(self):
        sides = made.records("a"), made.records("b")
        for lines, one in zip(sides, ("GPU-1", "GPU-2")):
            lines[0]["devices"][0]["id"] = one
        self.assertEqual(self.compare(*sides)[0], 2)
        sides[1][0]["devices"][0]["id"] = "GPU-1"
        sides[1][0]["machine"]["release"] = "7"
        self.assertEqual(self.compare(*sides)[0], 2, "no host is told, and the systems differ")
        for lines in sides:
            lines[0]["machine"]["id"] = "0123456789abcdef"
        self.assertEqual(self.compare(*sides)[0], 0, "the same host and GPU with another system")

    def test_a_threshold_is_a_percentage_or_refused(self):
        for text, status in (("0", 0), ("1e300", 0), ("nan", 2), ("inf", 2), ("-1", 2), ("", 2), ("x", 2)):
            self.expect(status, "", made.records("a"), made.records("b"), f"--threshold={text}")
