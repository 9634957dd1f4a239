#!/usr/bin/env python3
"""bench/report: the rule for digits, and that every committed record of schema 1 becomes one of schema 2.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import csv
import gzip
import json
import pathlib
import unittest

from cases import ROOT
from report import schema1, text

RUN = {"schema", "date", "command", "seed", "data_file", "version", "commit", "build_type", "build", "axes", "types", "machine",
       "devices", "models"}
DEVICE = {"space", "backends", "name", "kind", "peak_gbs", "peak_source", "last_level_cache", "memory_bytes", "units",
          "eviction", "facts"}
EVICTION = {"kind", "bytes", "workers", "capped"}
FIELDS = {
    "measurement": {"id", "name", "backend", "space", "rung", "slug", "family", "library", "nan", "atomic", "type", "op", "n",
                    "data", "seed",
                    "place", "scope", "cache", "eviction", "evicted_bytes", "bytes", "moved_bytes", "depth", "launches",
                    "blocks", "registers",
                    "shared_bytes", "blocks_per_sm", "limiter", *schema1.AXES},
    "conditions": {"at", "space", "seconds", "facts"}, "floor": {"space", "what", "scope", "count", "median", "p5", "p95"},
    "ceiling": {"space", "bytes", "read_bytes", "cache", "configuration", "scope", "count", "median", "p5", "p95", "gbs"},
    "sample": {"id", "index", "seconds", "ok"}, "samples": {"id", "nanoseconds", "ulps"}, "skipped": {"what", "reason"},
    "evidence": {"rung", "backend", "type", "op", "n", "facts"},
    "summary": {"id", "count", "wrong", "failed", "discarded"}, "same_code": {"rung", "kernels", "identical"},
    "static": {"backend", "architecture", "rung", "facts"}, "run": RUN}


class Schema(unittest.TestCase):
    def test_every_committed_record_has_the_fields_of_schema_2(self):
        seen = {}
        for path in sorted((ROOT / "docs" / "results").glob("*/*.jsonl*")):
            spaces = {}
            with gzip.open(path, "rt") if path.suffix == ".gz" else open(path) as lines:
                for number, line in enumerate(lines, 1):
                    old = json.loads(line)
                    if old["kind"] == "run":
                        self.assertIn(old["schema"], (1, 2), path)
                        if old["schema"] == 2:
                            continue
                        spaces[old["run"]] = {device["backend"]: device["memory_space"] for device in old["devices"]}
                    elif old["kind"] != "static" and old["run"] not in spaces:
                        continue  # of a run of schema 2
                    new = schema1.converted(old, spaces.get(old.get("run"), {}))
                    lacking = FIELDS[old["kind"]] - new.keys()
                    self.assertFalse(lacking, f"{path}:{number}")
                    self.holds(old, new, f"{path}:{number}")
                    seen[old["kind"]] = seen.get(old["kind"], 0) + 1
        self.assertEqual(seen.keys(), FIELDS.keys())

    def holds(self, old, new, where):
        """What is to be known of a record, beyond that the field is there."""
        if old["kind"] == "run":
            for device in new["devices"]:
                self.assertFalse(DEVICE - device.keys() or EVICTION - device["eviction"].keys(), where)
                self.assertGreater(device["eviction"]["bytes"], 1 << 20, where)
            self.assertEqual(sorted(backend for device in new["devices"] for backend in device["backends"]),
                             sorted(device["backend"] for device in old["devices"]), where)
            self.assertTrue(new["build"]["cxx"]["compiler"]
                            and new["models"].keys() == {one["backend"] for one in old["devices"]}, where)
        elif old["kind"] == "measurement":
            self.assertTrue(new["space"], where)
            self.assertEqual(new["family"] is None, old["library"] or not old["slug"], where)
            self.assertEqual((new["eviction"], new["evicted_bytes"] > 0),
                             ("reads", True) if old["cache"] == "cold" else (None, False), where)
        elif old["kind"] == "floor":
            self.assertTrue(new["space"] and new["what"] in ("clock", "launch"), where)

    def test_what_was_evicted_is_told_in_any_backends_words(self):
        self.assertEqual(schema1.evicted("ordinary reads of 240.00 MiB, four times the L2 cache"), 240 << 20)
        self.assertEqual(schema1.evicted("ordinary reads of 251658240 bytes (4 x last-level cache)"), 240 << 20)
        self.assertIsNone(schema1.evicted(None))
        cold = {"kind": "measurement", "backend": "cuda", "rung": "r06", "library": False, "cache": "cold", "n": 1 << 20,
                "block": 256}
        self.assertEqual(schema1.converted(cold | {"evicted_bytes": 4096, "eviction": "whatever it says"}, {})["evicted_bytes"],
                         4096)
        self.assertEqual(schema1.converted(cold | {"eviction": "reads of 1 KiB"}, {"cuda": "cuda:0"})["evicted_bytes"], 1024)
        self.assertEqual(schema1.converted(cold, {})["blocks"], 1 << 11)  # r06 takes two elements per thread


class Digits(unittest.TestCase):
    def test_numbers_have_the_digits_that_the_rule_gives_them(self):
        with open(pathlib.Path(__file__).parents[2] / "digits.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertGreater(len(rows), 40)
        for row in rows:
            uncertainty = float(row["interval"]) if row["interval"] else None
            self.assertEqual(text.number(float(row["value"]), uncertainty, int(row["most"])), row["text"], row)
            if row["value"] != "0":
                self.assertEqual(text.number(-float(row["value"]), uncertainty, int(row["most"])), "-" + row["text"], row)

    def test_what_is_not_known_has_no_digits_and_one_sample_has_two(self):
        self.assertEqual([text.number(None), text.number(float("nan"))], ["", ""])
        self.assertEqual([text.number(123.4, float("inf")), text.number(1.2345, float("nan"))], ["120", "1.234"])

    def test_a_ratio_carries_both_sides_uncertainty(self):
        self.assertAlmostEqual(text.joint(0.03, 0.04), 0.05)
        self.assertEqual([text.joint(0.03, None), text.joint(None, float("nan"))], [0.03, None])
        self.assertEqual(text.number(2.3456, text.joint(0.0, 0.02)), "2.35")
        self.assertEqual(text.interval_text(0.9871, 1.0132), "0.987 to 1.013")


if __name__ == "__main__":
    unittest.main()
