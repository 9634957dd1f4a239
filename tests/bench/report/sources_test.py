"""bench/report: the source of a rung and its changes; records cannot read other files."""

import types
import unittest
from unittest import mock

from report import sources
from running import ROOT

NAME = "r04_sequential_addressing"
PATH = f"cuda/rungs/{NAME}.cu"


def of(*rungs, commit="abc123-dirty"):
    """Sources of rungs (model, name, base) of a run at this commit."""
    rows = [{"rung": name[:3], "name": name, "backend": model, "base": base, "run": "a", "sort": "rung"}
            for model, name, base in rungs]
    return sources.of(types.SimpleNamespace(runs={"a": {"commit": commit}}), rows)


def with_remote(url):
    return mock.patch.object(sources.subprocess, "run", return_value=types.SimpleNamespace(stdout=url))


class Sources(unittest.TestCase):
    def test_a_rung_has_its_source_and_the_address_of_what_was_measured(self):
        with with_remote("git@example.org:who/what.git\n"):
            one = of(("cuda", NAME, None))["r04"]["cuda"]
        self.assertTrue((ROOT / PATH).read_text().rstrip().endswith("\n".join(one["code"])))
        self.assertTrue(one["why"].startswith("r04 sequential_addressing: "))
        self.assertEqual(one["url"], f"https://example.org/who/what/blob/abc123/{PATH}")
        self.assertIn("measured at abc123.", one["said"])

    def test_an_address_with_a_password_is_no_link_and_without_git_there_is_none(self):
        with with_remote("https://me:secret@example.org/who/what.git"):
            self.assertIsNone(of(("cuda", NAME, None))["r04"]["cuda"]["url"])
        with mock.patch.object(sources.subprocess, "run", side_effect=FileNotFoundError):
            self.assertIsNone(of(("cuda", NAME, None))["r04"]["cuda"]["url"])

    def test_a_rung_has_what_it_changed_of_its_base_and_what_the_native_model_has_not(self):
        base, own, other = ({"rung": rung, "code": code.split("\n")} for rung, code in (
            ("r03", "void r03() {\n  a();\n}"), ("r04", "void r04() {\n  b();\n}"), ("r04", "void r04() {\n    b();\n  c();\n}")))
        self.assertEqual(sources.changes(base, own), ["  void r04() {", "-   a();", "+   b();", "  }"])
        self.assertEqual(sources.foreign(own, other), [2])
        found = of(("cuda", "r03_interleaved_strided", None), ("cuda", NAME, "r03"), ("kokkos/cuda", NAME, None))
        self.assertTrue(any(line.startswith("+") for line in found["r04"]["cuda"]["changes"]))
        self.assertEqual((found["r04"]["cuda"]["foreign"], found["r04"]["kokkos"]["changes"]), ([], []))
        self.assertTrue(found["r04"]["kokkos"]["foreign"])

    def test_no_record_reads_another_file(self):
        for model, name in (("cuda", "r04_/../../../README"), ("..", NAME), ("/etc", "passwd"), ("cuda", "../table")):
            self.assertEqual(of((model, name, None)), {}, (model, name))
