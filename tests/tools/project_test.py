"""Facts about the project agree in all files that state them."""

import gzip
import os
import re
import subprocess
import unittest

from running import ROOT


def said(file, pattern):
    """Match of `pattern` in `file`; there must be exactly one."""
    found = re.findall(pattern, (ROOT / file).read_text(), re.M)
    assert len(found) == 1, f"{file} says {pattern} {len(found)} times"
    return found[0]


def git(*words):
    """Output of git in this tree; empty if git is not installed."""
    try:
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


class Project(unittest.TestCase):
    def test_there_is_one_version(self):
        version = said("CMakeLists.txt", r"^  VERSION ([\d.]+)$")
        self.assertEqual(said("CITATION.cff", r"^version: (.*)$"), version)
        self.assertIn(said("CHANGELOG.md", r"(?s)\A.*?^## \[?([^\] \n]+)"), ("Unreleased", version))
        self.assertIn(version, re.findall(r"^## \[?([\d.]+)", (ROOT / "CHANGELOG.md").read_text(), re.M) or [version])

    def test_every_step_of_the_workflow_is_one_of_ci(self):
        steps = said(".ci/run", r"^for step in (.*); do$").split()
        called = {step for workflow in (ROOT / ".github/workflows").glob("*.yml")
                  for listed in re.findall(r"\bsteps: ([^,}\n]+)", workflow.read_text()) for step in listed.split()}
        self.assertTrue(called)
        self.assertLessEqual(called, set(steps))
        for step in steps:
            self.assertTrue((ROOT / ".ci" / "steps" / f"{step}.sh").is_file(), step)

    def test_the_committed_records_stay_small(self):
        files = [file for file in (ROOT / "docs" / "results").rglob("*") if file.is_file()]
        self.assertLess(sum(file.stat().st_size for file in files), 18 << 20)

    def test_the_committed_records_are_packed(self):
        for file in (ROOT / "docs" / "results").glob("*/*.jsonl.gz"):
            text = gzip.decompress(file.read_bytes())
            self.assertNotRegex(text, rb'(?m)^\{"kind": ?"sample",.*"ok": ?true', f"{file}: tools/pack.py")
            self.assertNotRegex(text, rb'(?m)^\{"kind": ?"run",.*?"schema":(?! ?2,)', f"{file}: the report reads schema 2")

    def test_records_are_of_commits_of_this_history(self):
        """Makes the source of each figure readable. A clone without history is skipped."""
        if git("rev-parse", "--is-shallow-repository") != "false":
            self.skipTest("no history here")
        of_another = {  # measured before this history began, on machines that no longer exist
            "docs/results/zen5-2/levels.jsonl.gz", "docs/results/xeon-16-of-32/memory.jsonl.gz"}
        history = git("rev-list", "HEAD").split()
        found = set()
        for file in (ROOT / "docs" / "results").glob("*/*.jsonl.gz"):
            runs = re.findall(rb'(?m)^\{"kind": ?"run".*?"commit": ?"([^"]*)"', gzip.decompress(file.read_bytes()))
            commits = {commit.decode().partition("-")[0] for commit in runs}
            if not all(any(one.startswith(commit) for one in history) for commit in commits if commit) or not all(commits):
                found.add(str(file.relative_to(ROOT)))
        self.assertEqual(found, of_another)

    def test_what_names_its_interpreter_can_be_run(self):
        folders = (".ci", "bench", "cmake", "examples", "tests", "tools")
        scripts = [file for folder in folders for file in (ROOT / folder).rglob("*")
                   if file.is_file() and file.read_bytes()[:2] == b"#!"]
        self.assertGreater(len(scripts), 20)
        self.assertEqual([str(file) for file in scripts if not os.access(file, os.X_OK)], [])

    def test_every_figure_of_what_was_checked_has_its_command(self):
        page = (ROOT / "docs" / "trust.md").read_text()
        tables = re.findall(r"^\| What .*\| Command \|\n\|[-|]*\n((?:\|.*\n)*)", page, re.M)
        rows = [row.strip("|").split("|") for table in tables for row in table.splitlines()]
        self.assertGreater(len(rows), 8)
        tests = "".join(file.read_text() for file in (ROOT / "tests").rglob("*") if file.suffix in (".cpp", ".sh", ".txt"))
        cases = [rf"TEST\w*\({suite}, {name}" for suite, name in re.findall(r"gtest_filter=([A-Z]\w+)\.(\w+)", page)]
        for wanted in cases + re.findall(r" -R (\w+)`", page):
            self.assertTrue(re.search(wanted, tests), wanted)
        for what, *_, commands in rows:
            for command in re.split(r"(?<=`), (?=`)", commands.strip()):
                starts = r'(?:commit [0-9a-f]+: )?`(?:[A-Z_]+=(?:[\w,/]+|"[^"]+") )*(?:python3 |mpirun -n [0-9]+ )?'
                script = re.fullmatch(rf"{starts}(ctest|tests/\S+|tools/\S+|\.ci/\S+|build/\S+)( .*)?`", command)
                self.assertTrue(script, f"{what}: {command}")
                if script[1].startswith(("tests/", "tools/", ".ci/")):
                    self.assertTrue(os.access(ROOT / script[1], os.X_OK), command)
        self.assertIn("docs/trust.md", (ROOT / "README.md").read_text())
