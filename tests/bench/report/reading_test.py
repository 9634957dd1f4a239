"""bench/report: the reader reports every record that it leaves out, and sets aside malformed records with a sentence.

LADDER_PROPERTY_CASES: cases that Hypothesis draws (25)."""

import copy
import gzip
import json
import math
import os
import unittest

import made
from cases import Case, records
from report import compare
from running import run_main

try:
    import hypothesis
    from hypothesis import strategies as st
except ImportError:
    hypothesis = None
NO_NUMBERS = [-1e-3, 0, float("nan"), float("inf"), -float("inf"), "1e-3", True, [1e-3], {"s": 1}]


def first(lines, kind):
    return next(line for line in lines if line["kind"] == kind)


class Reading(Case):
    def told(self, *lines):
        return "\n".join(problem.text for problem in self.read(lines).problems)

    def test_unknown_kinds_are_counted(self):
        self.assertIn("a record of a kind (oracle) that this report does not know: passed over (and 2 more lines like it)",
                      self.told(*made.records(), *[{"kind": "oracle", "run": "r1"}] * 3))

    def test_samples_that_were_taken_again_count_nowhere(self):
        lines = made.records()
        again = [{"kind": "disturbed", "run": "r1", "id": "cuda-r02", "index": 1, "seconds": 1.0, "what": "heat"}]
        study = self.read(lines[:3] + again + lines[3:])
        self.assertEqual((study.problems, study.samples), ([], self.read(lines).samples))

    def test_a_torn_last_line_is_told_and_the_rest_is_read(self):
        path = made.write(self.folder / "torn.jsonl", made.records())
        path.write_text(path.read_text()[:-20])
        study = records.read([path])
        self.assertEqual(study.problems[0].line, 30)
        self.assertIn("the program was stopped while it wrote", study.problems[0].text)
        self.assertEqual(list(study.measurements["status"]), ["right"] * 3 + ["unfinished"])

    def test_files_that_hold_no_records_are_told(self):
        whole = gzip.compress("".join(json.dumps(line) + "\n" for line in made.records() * 50).encode())
        for name, content, words in (("empty.jsonl", b"", "is empty"), ("binary.jsonl", bytes(range(128, 256)), "is no text"),
                                     ("other.jsonl", b"[1]\n", "has no kind"), ("absent.jsonl", None, "cannot be read"),
                                     ("cut.jsonl.gz", whole[:len(whole) // 2], "ends before its end")):
            if content is not None:
                (self.folder / name).write_bytes(content)
            self.assertIn(words, "\n".join(problem.text for problem in records.read([self.folder / name]).problems))
        (self.folder / "none").mkdir()
        self.assertIn("folder without records", records.read([self.folder / "none"]).problems[0].text)
        made.write(self.folder / "none" / "some.jsonl", made.records())
        self.assertEqual(len(records.read([self.folder / "none"]).rows), 4)

    def test_a_schema_that_is_none_or_not_known_is_left_out(self):
        for schema in (None, 99, 3, 0, -1, "2", 2.0, True, [2]):
            lines = made.records()
            lines[0]["schema"] = schema
            study = self.read(lines)
            problem, = study.problems
            self.assertRegex(problem.text, "^run r1 (has no schema|is of schema .*, and this report knows 2): it is left out")
            self.assertTrue(study.measurements.empty)

    def test_records_without_their_run_are_told_once(self):
        problem, = self.read(made.records()[1:]).problems
        self.assertIn("whose beginning is not in these files", problem.text)

    def test_the_same_file_twice_counts_once(self):
        study = self.read(made.records(), made.records())
        self.assertEqual(len(study.measurements), 4)
        self.assertIn("was read before", study.problems[0].text)

    def test_what_lacks_a_field_is_named(self):
        lines = made.records()
        del lines[2]["bytes"]
        study = self.read(lines)
        self.assertIn("a measurement without bytes", study.problems[0].text)
        self.assertEqual(len(study.measurements), 3)
        del lines[0]["commit"]
        self.assertEqual(self.told(*lines), "a run without commit: left out")

    def test_what_was_resumed_is_finished_and_keeps_its_samples(self):
        before = [line for line in made.records("r1") if not (line["kind"] == "summary" and line["id"] == "hip-r02")]
        after = [line for line in made.records("r2") if line.get("id", "hip-r02") == "hip-r02"]
        study = self.read(before + after)
        self.assertEqual((study.problems, list(study.measurements["status"])), ([], ["right"] * 4))
        self.assertEqual(len(study.samples["r2", "hip-r02"]["r2"]), 10)
        study = self.read(before, after)  # another file may be from another machine
        self.assertRegex(study.problems[0].text,
                         "run r1 was stopped: 1 of its measurements lack a summary, the first r0. on .* with 5 right samples")

    def test_wrong_failed_and_unfinished_ones_have_no_time(self):
        lines = made.records()
        summaries = [line for line in lines if line["kind"] == "summary"]
        summaries[0]["wrong"] = 2
        summaries[1] |= {"failed": 5, "count": 0, "median": None, "error": "too large"}
        lines.remove(summaries[2])
        measurements = self.read(lines).measurements
        self.assertEqual(list(measurements["status"]), ["wrong", "failed", "unfinished", "right"])
        self.assertEqual(list(measurements["time"].notna()), [False, False, False, True])


class Hostile(Case):
    def told(self, *lines):
        return [f"{problem.line}: {problem.text}" for problem in self.read(lines).problems]

    def test_what_is_no_positive_number_is_set_aside_with_its_line(self):
        for value in NO_NUMBERS:
            lines = made.records()
            first(lines, "sample")["seconds"] = first(lines, "summary")["median"] = value
            lines.append({"kind": "samples", "run": "r1", "id": "cuda-r02", "nanoseconds": [1, value]})
            self.assertEqual(self.told(*lines)[:3], [
                "4: a sample whose seconds is no positive number: left out",
                "9: a summary whose median is no positive number: left out",
                "31: a line of samples whose nanoseconds is no list of positive numbers: left out"])
            self.assertEqual(list(self.read(lines).measurements["status"]), ["unfinished"] + ["right"] * 3)

    def test_garbage_is_told_once_with_its_count_and_its_first_line(self):
        path = made.write(self.folder / "garbage.jsonl", made.records())
        whole = path.read_text()
        path.write_text(whole + "garbage\n" * 500)
        problem, = records.read([path]).problems
        self.assertEqual((problem.line, problem.text), (31, "is cut short or is no record (and 499 more lines like it)"))
        deep = ("[" * 200_000, '{"kind":' * 200_000, "9" * 10_000, '{"kind": "run", "run": ' + "[" * 50_000 + "]" * 50_000 + "}")
        path.write_text(whole + "\n".join(deep))
        problem = records.read([path]).problems[0]
        self.assertEqual((problem.line, "is no record" in problem.text), (31, True))


@unittest.skipIf(hypothesis is None, "hypothesis is not installed")
class AnyRecords(Case):
    """The reader and the comparison handle all records that Hypothesis generates."""

    def holds(self, text):
        path = self.folder / "some.jsonl"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        study = records.read([path])
        for seconds in (some for processes in study.samples.values() for some in processes.values()):
            self.assertTrue(all(0 < one < math.inf for one in seconds))
        for row in study.measurements.to_dict("records"):
            self.assertTrue(row["status"] != "right" or 0 < row["time"] < math.inf, row)
        self.assertIn(run_main(compare.main, path, path)[0], (0, 1, 2))

    def for_any(self, strategy, body):
        few = hypothesis.settings(max_examples=int(os.environ.get("LADDER_PROPERTY_CASES", 25)), deadline=None, derandomize=True,
                                  suppress_health_check=list(hypothesis.HealthCheck))
        few(hypothesis.given(strategy)(body))()

    def test_of_any_lines_and_fields_are_read_to_the_end(self):
        plain = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
                          st.sampled_from([0, -1, 10 ** 400, 1e308, -0.0, 2 ** 64, "r1", "cuda", "", "r02"]))
        values = st.recursive(plain, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(
            st.text(max_size=6), inner, max_size=3)), max_leaves=6)
        valid = made.records()

        def with_fields(changes):
            lines = copy.deepcopy(valid)
            for (i, name), value, leave_out in changes:
                lines[i][name] = value
                if leave_out:
                    del lines[i][name]
            return lines

        places = [(i, name) for i, line in enumerate(valid) for name in line if name != "kind"]
        changed = st.lists(st.tuples(st.sampled_from(places), values, st.booleans()), min_size=1, max_size=4,
                           unique_by=lambda one: one[0]).map(with_fields)
        for lines in (changed, st.lists(st.one_of(values, st.sampled_from(valid)), max_size=6)):
            self.for_any(lines, lambda made_up: self.holds("".join(json.dumps(line) + "\n" for line in made_up)))

    def test_cut_anywhere_and_gone_on_with_are_read_to_the_end(self):
        whole = "".join(json.dumps(line) + "\n" for line in made.records())
        self.for_any(st.tuples(st.integers(0, len(whole)), st.text(max_size=20)),
                     lambda cut: self.holds(whole[:cut[0]] + cut[1] + "\n" + whole))
