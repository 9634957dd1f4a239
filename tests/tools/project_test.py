#!/usr/bin/env python3
"""What is said of the project in several files is the same in all of them."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def said(file, pattern):
    """What PATTERN finds in FILE, where it has to be exactly once."""
    found = re.findall(pattern, (ROOT / file).read_text(), re.M)
    assert len(found) == 1, f"{file} says {pattern} {len(found)} times"
    return found[0]


class Project(unittest.TestCase):
    def test_there_is_one_version(self):
        version = said("CMakeLists.txt", r"^  VERSION ([\d.]+)$")
        self.assertEqual(said("CITATION.cff", r"^version: (.*)$"), version)
        self.assertIn(said("CHANGELOG.md", r"(?s)\A.*?^## \[?([^\] \n]+)"), ("Unreleased", version))
        self.assertIn(version, re.findall(r"^## \[?([\d.]+)", (ROOT / "CHANGELOG.md").read_text(), re.M) or [version])

    def test_every_step_of_the_workflow_is_one_of_ci(self):
        called = re.findall(r"^ *- run: (.*)$", (ROOT / ".github/workflows/ci.yml").read_text(), re.M)
        self.assertTrue(called)
        steps = (ROOT / ".ci/run").read_text()
        for command in called:
            script = re.fullmatch(r"bash (\.ci/steps/(\w+)\.sh)", command)
            self.assertTrue(script, command)
            self.assertTrue((ROOT / script[1]).is_file(), command)
            self.assertRegex(steps, rf"\b{script[2]}\b")


if __name__ == "__main__":
    unittest.main()
