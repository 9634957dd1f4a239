#!/usr/bin/env python3
"""bench/report: that nothing in the records is dropped without a word, and what may stand in one ratio.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import gzip
import json
import unittest

import made
from cases import Case, records
from report.sections import portability


class Records(Case):
    def texts(self, study):
        return "\n".join(problem.text for problem in study.problems)

    def test_right_ones_have_no_problem(self):
        study = self.read(made.records())
        self.assertEqual(study.problems, [])
        self.assertEqual(list(study.measurements["status"].unique()), ["right"])
        self.assertEqual(study.lines, 30)

    def test_unknown_fields_are_passed_over(self):
        lines = [line | {"future": [1, 2]} for line in made.records()]
        self.assertEqual(self.read(lines).problems, [])

    def test_unknown_kinds_are_counted(self):
        study = self.read(made.records() + [{"kind": "oracle", "run": "r1"}] * 3)
        self.assertIn("a record of a kind (oracle) that this report does not know: passed over (and 2 more lines like it)",
                      self.texts(study))

    def test_samples_that_were_taken_again_count_nowhere(self):
        lines = made.records()
        again = [{"kind": "disturbed", "run": "r1", "id": "cuda-r02", "index": 1, "seconds": 1.0, "what": "heat"}]
        study = self.read(lines[:3] + again + lines[3:])
        self.assertEqual(study.problems, [])
        self.assertEqual(study.samples, self.read(lines).samples)

    def test_a_torn_last_line_is_told_and_the_rest_is_read(self):
        path = made.write(self.folder / "torn.jsonl", made.records())
        path.write_text(path.read_text()[:-20])
        study = records.read([path])
        self.assertIn("the program was stopped while it wrote", self.texts(study))
        self.assertEqual(study.problems[0].line, 30)
        self.assertEqual(list(study.measurements["status"]), ["right"] * 3 + ["unfinished"])

    def test_a_compressed_file_that_was_cut_is_told(self):
        path = self.folder / "cut.jsonl.gz"
        data = gzip.compress("".join(json.dumps(line) + "\n" for line in made.records() * 50).encode())
        path.write_bytes(data[:len(data) // 2])
        self.assertIn("ends before its end", self.texts(records.read([path])))

    def test_what_is_empty_missing_or_no_text_is_told(self):
        (self.folder / "empty.jsonl").write_text("")
        (self.folder / "binary.jsonl").write_bytes(bytes(range(128, 256)))
        (self.folder / "other.jsonl").write_text("[1]\n")
        (self.folder / "none").mkdir()
        study = records.read([self.folder / name for name in ("empty.jsonl", "binary.jsonl", "other.jsonl", "none",
                                                              "absent.jsonl")])
        for text in ("is empty", "is no text", "has no kind", "folder without records", "cannot be read"):
            self.assertIn(text, self.texts(study))

    def test_a_newer_or_an_older_schema_is_left_out_with_its_records(self):
        for schema, text in ((3, "is of schema 3"), (None, "has no schema")):
            lines = made.records()
            lines[0]["schema"] = schema
            if schema is None:
                del lines[0]["schema"]
            study = self.read(lines)
            self.assertIn(text, self.texts(study))
            self.assertTrue(study.measurements.empty)

    def test_records_without_their_run_are_told_once(self):
        study = self.read(made.records()[1:])
        self.assertEqual(len(study.problems), 1)
        self.assertIn("whose beginning is not in these files", self.texts(study))

    def test_the_same_file_twice_counts_once(self):
        study = self.read(made.records(), made.records())
        self.assertEqual(len(study.measurements), 4)
        self.assertIn("was read before", self.texts(study))

    def test_a_measurement_that_lacks_a_field_is_named(self):
        lines = made.records()
        del lines[2]["bytes"]
        study = self.read(lines)
        self.assertIn("a measurement without bytes", self.texts(study))
        self.assertEqual(len(study.measurements), 3)

    def test_an_input_that_begins_behind_an_aligned_address_is_left_out(self):
        lines = made.records()
        lines[2]["offset"] = 4
        study = self.read(lines)
        self.assertIn("its input begins 4 bytes behind an aligned address: left out", self.texts(study))
        self.assertEqual(len(study.measurements), 3)

    def test_what_was_resumed_is_finished_and_keeps_its_samples(self):
        first = [line for line in made.records("r1") if not (line["kind"] == "summary" and line["id"] == "hip-r02")]
        second = [line for line in made.records("r2") if line.get("id", "hip-r02") == "hip-r02"]
        study = self.read(first + second)
        self.assertEqual(study.problems, [])
        self.assertEqual(list(study.measurements["status"]), ["right"] * 4)
        self.assertEqual(len(study.samples["r2", "hip-r02"]), 10)
        study = self.read(first, second)  # of another file it may be another machine's
        self.assertRegex(self.texts(study), "run r1 was stopped: 1 of its measurements lack a summary, the first r0. on .* with "
                                            "5 right samples")

    def test_wrong_failed_and_unfinished_ones_have_no_time(self):
        lines = made.records()
        summaries = [line for line in lines if line["kind"] == "summary"]
        summaries[0]["wrong"] = 2
        summaries[1] |= {"failed": 5, "count": 0, "median": None, "error": "too large"}
        lines.remove(summaries[2])
        study = self.read(lines)
        self.assertEqual(list(study.measurements["status"]), ["wrong", "failed", "unfinished", "right"])
        self.assertEqual(list(study.measurements["time"].notna()), [False, False, False, True])
        self.assertRegex(self.texts(study), "run r1 was stopped: 1 of its measurements lack a summary, the first r0. on .* with "
                                            "5 right samples")


class Comparable(Case):
    def matrix(self, *files):
        section = portability.section(self.view(*files))
        return section.tables if section else []

    def test_one_process_gives_a_plain_ratio(self):
        table, = self.matrix(made.records())
        self.assertEqual([[cell.text for cell in row] for row in table.rows],
                         [["r02_interleaved_divergent", "0.800"], ["r03_interleaved_strided", "1.00"]])

    def test_two_processes_are_said_to_be(self):
        one = made.records("a", {("cuda", "r02"): 4e-3})
        two = made.records("b", {("hip", "r02"): 5e-3})
        table, = self.matrix(one, two)
        self.assertEqual(table.rows[0][1].text, "0.800 *")
        self.assertIn("separate processes", table.note)

    def test_what_is_not_the_same_problem_is_in_no_ratio(self):
        for change in ({"n": 1 << 19}, {"scope": "host"}, {"cache": "hot"}, {"type": "f64"}, {"op": "min"}, {"data": "normal"},
                       {"seed": 2},
                       {"evicted_bytes": 120 << 20}):
            one, two = made.records("a", {("cuda", "r02"): 4e-3}), made.records("b", {("hip", "r02"): 5e-3}, **change)
            self.assertEqual(self.matrix(one, two), [], change)
        two = made.records("b", {("hip", "r02"): 5e-3})
        for device in two[0]["devices"]:
            device["name"] = "Another GPU"
        self.assertEqual(self.matrix(made.records("a", {("cuda", "r02"): 4e-3}), two), [])


if __name__ == "__main__":
    unittest.main()
