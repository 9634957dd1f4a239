"""tools/submit.py: accepted records, written files, and each reason for a refusal."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest
import unittest.mock

import cases
import docs
import made
import submit
from report import records
from report.pages.source import Sources
from running import ROOT, run_main

GIB = 1 << 30
DRIFT = (1, 1.002, 0.999, 1.001, 0.998)


def git(root, *words):
    return subprocess.run(["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, text=True,
                          capture_output=True).stdout.strip()


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class Submit(cases.Case):
    def setUp(self):
        super().setUp()
        self.root = self.folder / "clone"
        (self.root / "docs" / "results").mkdir(parents=True)
        (self.root / "docs" / "results" / "README.md").write_text("what was there\n")
        git(self.root, "init", "-q")
        git(self.root, "add", "docs")
        git(self.root, "commit", "-q", "-m", "one")
        self.commit = git(self.root, "rev-parse", "--short=10", "HEAD")

    def study(self, drift=DRIFT, gbs=850, size=GIB, run="p", **fields):
        """Records of a process for each drift: two rungs of this size and bandwidth, with a ceiling of 900 GB/s."""
        lines = made.processes(*({("cuda", rung): size / gbs / 1e9 * one for rung in ("r02", "r03")} for one in drift), run=run,
                               bytes=size, n=size // 4, **fields)
        for line in lines:
            if line["kind"] == "run":
                line["commit"] = self.commit
            if line["kind"] == "ceiling":
                line["bytes"] = size
        return lines

    def file(self, lines, name="mine.jsonl"):
        return made.write(self.folder / name, lines)

    def submit(self, *words):
        """Output of a successful submission."""
        status, printed = run_main(lambda words: submit.main(words, self.root), *words)
        self.assertEqual(status, 0)
        return printed

    def written(self):
        return [line[3:] for line in git(self.root, "status", "--porcelain", "--untracked-files=all").splitlines()]

    def refused(self, *words, git_is_here=True):
        """Message of a refusal, which writes nothing."""
        with self.assertRaises(submit.Failure) as failure:
            submit.main([*map(str, words)], self.root)
        if git_is_here:
            self.assertEqual(self.written(), [])
        return str(failure.exception)

    def changed(self, kind, change, **options):
        """A file with each record of a kind changed by `change`."""
        lines = self.study(**options)
        for line in (line for line in lines if line["kind"] == kind):
            change(line)
        return self.file(lines)

    def fresh(self, name):
        """Text of a folder's page, which is fresh."""
        page = self.root / "docs/results" / name / "README.md"
        self.assertEqual(docs.Page(page, Sources(self.root), None).made(), page.read_text())
        return page.read_text()

    def test_what_is_taken_is_a_folder_of_its_own_with_a_page_and_nothing_else(self):
        half = self.study(size=GIB // 2)[1:]
        for line in half:
            if "id" in line:
                line["id"] += "-half"
        path = self.file(self.study() + [line for line in half if line["kind"] != "run"])
        said = self.submit(path, self.file(self.study(run="r"), "other.jsonl"))
        self.assertEqual(self.written(), [f"docs/results/a-gpu/{name}" for name in (
            "README.md", "mine.jsonl.gz", "other.jsonl.gz")])
        here, there = records.read([path]), records.read([self.root / "docs/results/a-gpu/mine.jsonl.gz"])
        self.assertEqual([(row["name"], row["by_process"]) for row in here.rows],
                         [(row["name"], row["by_process"]) for row in there.rows])
        self.assertEqual((there.problems, len(there.rows)), ([], 4))
        text = self.fresh("a-gpu")
        self.assertEqual(re.findall(r"^##? .*", text, re.M), ["# A GPU", "## mine", "## other"])
        self.assertEqual(re.findall(r"^\| rung .*", text, re.M)[1], "| rung | 2²⁷ | 2²⁸ |")
        for step in ("git switch -c records-a-gpu", "tools/docs.py", "git add docs/results/a-gpu docs/results/README.md",
                     "git commit -m", "git push -u origin records-a-gpu", "pull request"):
            self.assertIn(step, said)
        before = self.written()  # nothing is overwritten
        with self.assertRaisesRegex(submit.Failure, "docs/results/a-gpu is there already, .*--name=a-gpu-2"):
            submit.main([str(self.file(self.study(gbs=100)))], self.root)
        self.assertEqual((self.written(), (self.root / "docs/results/a-gpu/README.md").read_text()), (before, text))

    def energy(self, **fields):
        lines = made.energy(**fields)
        lines[0]["commit"] = self.commit
        return lines

    def test_energy_is_taken_beside_times_and_alone_but_not_in_part(self):
        self.assertIn("run e1 was stopped", self.refused(self.file(self.energy()[:-1])))
        self.assertIn("round 1 of the energy of r02_interleaved_divergent on cuda failed: 7 is not 8\n",
                      self.refused(self.file(self.energy(ok=False, error="7 is not 8"))))
        self.submit(self.file(self.energy()))
        self.assertRegex(self.fresh("a-gpu"), r"\| hip \| r03_interleaved_strided \| block 256 \| 0\.30 \|")
        self.submit("--name=both", self.file(self.study()), self.file(self.energy(), "energy.jsonl"))
        self.assertIn("## energy\n\n<!-- table: energy records=docs/results/both/energy.jsonl.gz -->\n", self.fresh("both"))

    def test_what_fails_while_it_is_written_leaves_nothing(self):
        path = self.file(self.study())
        with unittest.mock.patch.object(submit, "tables_of", side_effect=OSError(28, "No space left on device")):
            self.assertIn("cannot be written: No space left on device", self.refused(path))

    def test_a_name_is_one_of_a_folder_there_and_a_computers_stays_out_of_it(self):
        path = self.file(self.study())
        for name in ("../h200", "A", "", ".", "figures", "a/b", "-x"):
            self.assertIn(f"--name={name} cannot be a folder here", self.refused(f"--name={name}", path))
        self.submit("--name=mi300x_1.5", path)
        self.assertTrue((self.root / "docs/results/mi300x_1.5/mine.jsonl.gz").exists())
        for path, name in (("x/2026-11-22T143000Z-janes-box.jsonl", "2026-11-22T143000Z"), ("my run.jsonl.gz", "my-run")):
            self.assertEqual(submit.file_name(pathlib.Path(path)), f"{name}.jsonl.gz")

    def test_what_is_not_whole_is_refused(self):
        lines, empty = self.study(), self.folder / "empty.jsonl"
        empty.write_text("")
        for given, said in (
                (self.folder / "absent.jsonl", "absent.jsonl: cannot be read: No such file"), (empty, "is empty"),
                (ROOT / "README.md", "is cut short or is no record"),
                (ROOT / "docs/results/amd-static/f32-sum.jsonl",
                 "holds no measurement\n  ./study run --processes=5 --records=FILE makes"),
                ([line for line in lines if line["run"] != "p5"], "has 4 of its 5 processes: --resume takes what is missing"),
                (lines[:-1], "run p5 was stopped"), (lines[:-1], "--resume with the same options finishes a run"),
                ([line for line in lines if line["run"] != "p5" or line["kind"] == "run"], "run p5 was stopped"),
                (self.study(DRIFT[:4]), "run p1 has 4 of 5 processes"),
                ([line for line in lines if line["run"] != "p5" or line.get("id") != "cuda-r03"],
                 "r03_interleaved_strided on cuda (float sum, n = 2²⁸ (1 GiB), cold, kernel scope) was measured by 4 of the")):
            with self.subTest(said):
                self.assertIn(said, self.refused(self.file(given) if isinstance(given, list) else given))

    def test_a_wrong_or_failed_result_is_refused(self):
        for fields, said in (({"wrong": 1, "error": "7 is not 8"}, "is wrong: 7 is not 8\n"),
                             ({"failed": 1, "error": "out of memory"}, "is failed: out of memory")):
            given = self.changed("summary", lambda line, fields=fields: line.update(
                fields if (line["run"], line["id"]) == ("p2", "cuda-r02") else {}))
            text = self.refused(given)
            self.assertIn(f"r02_interleaved_divergent on cuda (float sum, n = 2²⁸ (1 GiB), cold, kernel scope) {said}", text)
            self.assertIn("Open an issue with these records", text)

    def test_sources_that_nobody_has_and_slow_builds_are_refused(self):
        slow = {"cuda": {"flags": "-O0 --Ofast-compile=mid", "optimized": "no"}}
        for fields, why in (({"commit": "unknown"}, "built from unknown sources"),
                            ({"commit": f"{self.commit}-dirty"}, f"differ from commit {self.commit}. Commit them"),
                            ({"commit": "0123456789"}, "built from commit 0123456789, which is not in the history here"),
                            ({"build_type": "Debug"}, "its build is not optimized (Debug)"),
                            ({"build": slow}, "its build is not optimized (cuda)")):
            with self.subTest(why):
                self.assertIn(why, self.refused(self.changed("run", lambda line, fields=fields: line.update(fields))))

    def test_it_is_done_in_a_clone(self):
        path = str(self.file(self.study()))
        with unittest.mock.patch.dict(os.environ, PATH="/nowhere"):
            self.assertIn("git: No such file", self.refused(path, git_is_here=False))
        shutil.rmtree(self.root / ".git")
        self.assertIn("is no clone of the repository", self.refused(path, git_is_here=False))

    def test_above_the_ceiling_beyond_the_interval_or_without_one_or_above_the_peak_is_refused(self):
        said = self.refused(self.file(self.study(gbs=930)))
        self.assertRegex(said, r"r02_interleaved_divergent on cuda .* is 1\.03\d to 1\.03\d times as fast as its ceiling, 900\.0")
        self.assertIn("measure again on an idle machine", said)
        wide = (0.7, 0.9, 1, 1.1, 1.3)  # the interval extends far below the ceiling
        for name, options in {"wide": {"drift": wide, "gbs": 930}, "small": {"gbs": 930, "size": 64 << 20},
                              "tie": {"gbs": 908}}.items():
            self.submit(f"--name={name}", self.file(self.study(**options)))
        shutil.rmtree(self.root / "docs")
        git(self.root, "checkout", "docs")
        self.assertIn("measure again without --no-ceilings",
                      self.refused(self.file([line for line in self.study() if line["kind"] != "ceiling"])))
        said = self.refused(self.changed("run", lambda line: line["devices"][0].update(peak_gbs=800.0)))
        self.assertRegex(said, r"reaches 84\d(\.\d)? GB/s or more, and the peak is given as 800\.0 GB/s \(made up\)")
        self.assertRegex(said, r"--peak-gbs=\S+:GBS")

    def test_two_machines_are_refused(self):
        def other(name, **fields):
            lines = self.study(run="q")
            for line in lines:
                if line["kind"] == "run":
                    line["devices"][0].update(name=name, **fields)
            return lines

        for lines in (other("B GPU"), other("A GPU", id="GPU-2")):
            together = self.file(self.study() + lines, "together.jsonl")
            for files in ([together], [self.file(self.study()), self.file(lines, "other.jsonl")]):
                self.assertIn("on cuda:0 are of 2 machines: submit each on its own", self.refused(*files))
        self.assertIn("two files would have one name", self.refused(*[self.file(self.study())] * 2))

    def test_what_is_committed_of_an_h100_would_be_taken(self):
        file = submit.File(ROOT / "docs" / "results" / "h100" / "rungs.jsonl.gz")
        with unittest.mock.patch.object(submit, "of_build", lambda run, root: ""):  # a clone may be shallow
            self.assertEqual(list(submit.complaints(file, ROOT)), [])
