#!/usr/bin/env python3
"""tools/submit.py: what it takes, what it writes, and that each reason to refuse is one.

Exit status 77 where git, pandas, matplotlib or Jinja2 are not installed."""

import contextlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "bench" / "report"), str(ROOT / "tools")]
import made  # noqa: E402
from cases import Case  # noqa: E402  (it ends the test where something is not installed)

# isort: split
import docs  # noqa: E402
import submit  # noqa: E402
from report import records  # noqa: E402
from report.pages.source import Sources  # noqa: E402

GIB = 1 << 30
DRIFT = (1, 1.002, 0.999, 1.001, 0.998)


def git(root, *words):
    return subprocess.run(["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, text=True,
                          capture_output=True).stdout.strip()


class Submit(Case):
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
        """Records of a process for each drift: at this size two rungs of this bandwidth, below a ceiling of 900 GB/s."""
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
        """What is printed."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            self.assertEqual(submit.main([*map(str, words)], self.root), 0)
        return said.getvalue()

    def written(self):
        return [line[3:] for line in git(self.root, "status", "--porcelain", "--untracked-files=all").splitlines()]

    def refused(self, *words, git_is_here=True):
        """The sentence, after which nothing is written."""
        with self.assertRaises(submit.Failure) as failure:
            submit.main([*map(str, words)], self.root)
        if git_is_here:
            self.assertEqual(self.written(), [])
        return str(failure.exception)

    def changed(self, kind, change, **options):
        """A file in which `change` was done to each record of a kind."""
        lines = self.study(**options)
        for line in (line for line in lines if line["kind"] == kind):
            change(line)
        return self.file(lines)

    def test_what_is_taken_is_a_folder_of_its_own_and_nothing_else(self):
        path = self.file(self.study())
        said = self.submit(path)
        self.assertEqual(self.written(), ["docs/results/a-gpu/README.md", "docs/results/a-gpu/mine.jsonl.gz"])
        here, there = records.read([path]), records.read([self.root / "docs/results/a-gpu/mine.jsonl.gz"])
        self.assertEqual([(row["name"], row["by_process"]) for row in here.rows],
                         [(row["name"], row["by_process"]) for row in there.rows])
        self.assertEqual((there.problems, len(there.rows)), ([], 2))
        for step in ("git switch -c records-a-gpu", "tools/docs.py", "git add docs/results/a-gpu docs/results/README.md",
                     "git commit -m", "git push -u origin records-a-gpu", "pull request"):
            self.assertIn(step, said)

    def test_its_page_is_what_the_generator_makes(self):
        sizes = [self.study(size=size, run=name) for size, name in ((GIB, "p"), (GIB // 2, "q"))]
        for line in sizes[1]:  # of the same processes
            line["run"] = line["run"].replace("q", "p")
            if "id" in line:
                line["id"] += "-half"
        lines = sizes[0] + [line for line in sizes[1] if line["kind"] != "run"]
        self.submit(self.file(lines), self.file(self.study(run="r"), "other.jsonl"))
        page = self.root / "docs/results/a-gpu/README.md"
        text = page.read_text()
        self.assertEqual(docs.Page(page, Sources(self.root), None).made(), text)
        self.assertEqual(re.findall(r"^##? .*", text, re.M), ["# A GPU", "## mine", "## other"])
        self.assertEqual(re.findall(r"^\| rung .*", text, re.M)[1], "| rung | 2²⁷ | 2²⁸ |")
        self.assertIn("| r03_interleaved_strided | block 256 | 1.26", text)
        page.write_text(text.replace("| 850", "| 851"))
        self.assertNotEqual(docs.Page(page, Sources(self.root), None).made(), page.read_text())

    def energy(self, **fields):
        lines = made.energy(**fields)
        lines[0]["commit"] = self.commit
        return lines

    def test_energy_is_taken_beside_times_and_alone(self):
        said = self.submit(self.file(self.energy()))
        self.assertIn("Taken into docs/results/a-gpu.", said)
        page = self.root / "docs/results/a-gpu/README.md"
        self.assertEqual(docs.Page(page, Sources(self.root), None).made(), page.read_text())
        self.assertRegex(page.read_text(), r"\| hip \| r03_interleaved_strided \| block 256 \| 0\.30 \|")
        self.submit("--name=both", self.file(self.study()), self.file(self.energy(), "energy.jsonl"))
        both = (self.root / "docs/results/both/README.md").read_text()
        self.assertIn("## energy\n\n<!-- table: energy records=docs/results/both/energy.jsonl.gz -->\n", both)
        self.assertIn("<!-- table: problem records=docs/results/both/mine.jsonl.gz", both)

    def test_energy_that_was_stopped_or_is_wrong_is_refused(self):
        self.assertIn("run e1 was stopped", self.refused(self.file(self.energy()[:-1])))
        self.assertIn("round 1 of the energy of r02_interleaved_divergent on cuda failed: 7 is not 8\n",
                      self.refused(self.file(self.energy(ok=False, error="7 is not 8"))))

    def test_nothing_is_overwritten(self):
        self.submit(self.file(self.study()))
        before = self.written()
        with self.assertRaisesRegex(submit.Failure, "docs/results/a-gpu is there already, .*--name=a-gpu-2"):
            submit.main([str(self.file(self.study(gbs=100)))], self.root)
        self.assertEqual(self.written(), before)
        self.assertIn("850", (self.root / "docs/results/a-gpu/README.md").read_text())

    def test_what_fails_while_it_is_written_leaves_nothing(self):
        path = self.file(self.study())
        with unittest.mock.patch.object(submit, "tables_of", side_effect=OSError(28, "No space left on device")):
            self.assertIn("cannot be written: No space left on device", self.refused(path))

    def test_a_name_is_one_of_a_folder_there(self):
        path = self.file(self.study())
        for name in ("../h200", "A", "", ".", "figures", "a/b", "-x"):
            self.assertIn(f"--name={name} cannot be a folder here", self.refused(f"--name={name}", path))
        self.submit("--name=mi300x_1.5", path)
        self.assertTrue((self.root / "docs/results/mi300x_1.5/mine.jsonl.gz").exists())

    def test_the_name_of_a_computer_stays_out_of_the_file_names(self):
        self.assertEqual(submit.file_name(pathlib.Path("x/2026-11-22T143000Z-janes-box.jsonl")), "2026-11-22T143000Z.jsonl.gz")
        self.assertEqual(submit.file_name(pathlib.Path("my run.jsonl.gz")), "my-run.jsonl.gz")

    def test_what_cannot_be_read_is_refused(self):
        said = self.refused(self.folder / "absent.jsonl")
        self.assertIn("absent.jsonl: cannot be read: No such file", said)
        empty = self.folder / "empty.jsonl"
        empty.write_text("")
        self.assertIn("is empty", self.refused(empty))
        self.assertIn("is cut short or is no record", self.refused(ROOT / "README.md"))
        self.assertIn("holds no measurement\n  ./study run --processes=5 --records=FILE makes",
                      self.refused(ROOT / "docs/results/amd-static/f32-sum.jsonl"))

    def test_a_run_that_was_stopped_is_refused(self):
        lines = self.study()
        self.assertIn("has 4 of its 5 processes: --resume takes what is missing",
                      self.refused(self.file([line for line in lines if line["run"] != "p5"])))
        self.assertIn("run p5 was stopped", self.refused(self.file(lines[:-1])))
        self.assertIn("--resume with the same options finishes a run", self.refused(self.file(lines[:-1])))
        bare = [line for line in lines if line["run"] != "p5" or line["kind"] == "run"]
        self.assertIn("run p5 was stopped", self.refused(self.file(bare)))

    def test_fewer_than_five_processes_are_refused(self):
        self.assertIn("run p1 has 4 of 5 processes", self.refused(self.file(self.study(DRIFT[:4]))))
        lines = [line for line in self.study() if line["run"] != "p5" or line.get("id") != "cuda-r03"]
        self.assertIn("r03_interleaved_strided on cuda (float sum, n = 2²⁸ (1 GiB), cold, kernel scope) was measured by 4 of the",
                      self.refused(self.file(lines)))

    def test_a_wrong_or_failed_result_is_refused(self):
        def spoil(**fields):
            return lambda line: line.update(fields) if (line["run"], line["id"]) == ("p2", "cuda-r02") else None

        self.assertIn("r02_interleaved_divergent on cuda (float sum, n = 2²⁸ (1 GiB), cold, kernel scope) is wrong: 7 is not 8\n",
                      self.refused(self.changed("summary", spoil(wrong=1, error="7 is not 8"))))
        said = self.refused(self.changed("summary", spoil(failed=1, error="out of memory")))
        self.assertIn("is failed: out of memory", said)
        self.assertIn("Open an issue with these records", said)

    def test_sources_that_nobody_has_are_refused(self):
        for commit, why in (("unknown", "built from unknown sources"), (None, "built from unknown sources"),
                            (f"{self.commit}-dirty", f"differ from commit {self.commit}. Commit them"),
                            ("0123456789", "built from commit 0123456789, which is not in the history here")):
            self.assertIn(why, self.refused(self.changed("run", lambda line, commit=commit: line.update(commit=commit))))
        debug = self.changed("run", lambda line: line.update(build_type="Debug"))
        self.assertIn("its build is not optimized (Debug)", self.refused(debug))
        slow = {"cuda": {"flags": "-O0 --Ofast-compile=mid", "optimized": "no"}}
        self.assertIn("its build is not optimized (cuda)",
                      self.refused(self.changed("run", lambda line: line.update(build=slow))))

    def test_it_is_done_in_a_clone(self):
        path = str(self.file(self.study()))
        with unittest.mock.patch.dict(os.environ, PATH="/nowhere"):
            self.assertIn("git: No such file", self.refused(path, git_is_here=False))
        shutil.rmtree(self.root / ".git")
        self.assertIn("is no clone of the repository", self.refused(path, git_is_here=False))

    def test_above_the_ceiling_beyond_the_interval_is_refused(self):
        said = self.refused(self.file(self.study(gbs=930)))
        self.assertRegex(said, r"r02_interleaved_divergent on cuda .* is 1\.03\d to 1\.03\d times as fast as its ceiling, 900\.0")
        self.assertIn("measure again on an idle machine", said)
        wide = (0.7, 0.9, 1, 1.1, 1.3)  # here the interval reaches far below
        for name, options in {"wide": {"drift": wide, "gbs": 930}, "small": {"gbs": 930, "size": 64 << 20},
                              "tie": {"gbs": 908}}.items():
            self.submit(f"--name={name}", self.file(self.study(**options)))

    def test_without_a_ceiling_or_above_the_peak_it_is_refused(self):
        self.assertIn("measure again without --no-ceilings",
                      self.refused(self.file([line for line in self.study() if line["kind"] != "ceiling"])))
        said = self.refused(self.changed("run", lambda line: line["devices"][0].update(peak_gbs=800.0)))
        self.assertRegex(said, r"reaches 84\d(\.\d)? GB/s or more, and the peak is given as 800\.0 GB/s \(made up\)")
        self.assertIn("--peak-gbs=", said)

    def test_two_machines_are_refused(self):
        def other(name, **fields):
            lines = self.study(run="q")
            for line in lines:
                if line["kind"] == "run":
                    line["devices"][0].update(name=name, **fields)
            return lines

        both = self.file(self.study() + other("B GPU"))
        self.assertIn("on cuda:0 are of 2 machines", self.refused(both))
        twins = self.file(self.study() + other("A GPU", id="GPU-2"))
        self.assertIn("on cuda:0 are of 2 machines", self.refused(twins))
        one, two = self.file(self.study(), "one.jsonl"), self.file(other("B GPU"), "two.jsonl")
        self.assertRegex(self.refused(one, two), "these files are of A GPU and of B GPU: submit each on its own")
        self.assertIn("two files would have one name", self.refused(one, one))

    def test_what_is_committed_of_an_h100_would_be_taken(self):
        file = submit.File(ROOT / "docs" / "results" / "h100" / "rungs.jsonl.gz")
        with unittest.mock.patch.object(submit, "of_build", lambda run, root: ""):  # a clone may be shallow
            self.assertEqual(list(submit.complaints(file, ROOT)), [])


if __name__ == "__main__":
    if not shutil.which("git"):
        print("not run: there is no git here")
        sys.exit(77)
    unittest.main()
