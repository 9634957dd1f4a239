"""bench/report: code divergence, and the files for p3-analysis and the Code Base Investigator."""

import csv
import json
import pathlib
import tempfile
import unittest

from cases import ONE_PROCESS, ROOT, View, records, rows_of
from report import convergence
from report.sections import across

# As the documents of p3-analysis say: performance.csv has a line for each run, coverage.csv one for each key.
NEEDED = {"problem", "application", "platform", "fom"}
SOURCE = """// a comment
int always;
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 900
int nvidia;
#elif defined(__HIP_PLATFORM_AMD__)
int amd; /* and more */
#else
int other;
#  ifdef LADDER_KOKKOS_OPENMP
int openmp;
#  endif
#endif  // end

int last;
"""


def lines_used(platform):
    return convergence.split(SOURCE, convergence.DEFINED[platform])[0]


class Lines(unittest.TestCase):
    def test_a_platform_uses_what_the_preprocessor_leaves(self):
        self.assertEqual(lines_used("nvidia"), (2, 3, 4, 5, 7, 12, 14))
        self.assertEqual(lines_used("amd"), (2, 3, 5, 6, 7, 12, 14))
        self.assertEqual(lines_used("host"), (2, 3, 5, 7, 8, 9, 10, 11, 12, 14))

    def test_a_line_is_used_or_not(self):
        used, unused = convergence.split(SOURCE, convergence.DEFINED["nvidia"])
        self.assertEqual(sorted(used + unused), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14])

    def test_a_condition_that_is_not_understood_is_no_guess(self):
        with self.assertRaisesRegex(ValueError, "too much for this reader"):
            convergence.holds("__has_include(<x>)", {})

    def test_what_a_record_names_reads_no_other_folder(self):
        for name in ("..", "/etc", "docs"):
            self.assertEqual(convergence.files_of(name, "host"), [])

    def test_divergence_is_the_mean_jaccard_distance(self):
        one, other = (convergence.lines_of("hip", platform) for platform in ("nvidia", "amd"))
        self.assertTrue(one and other)
        self.assertAlmostEqual(convergence.divergence("hip", ["nvidia", "amd"]), 1 - len(one & other) / len(one | other))

    def test_models_that_share_no_line_diverge_wholly_and_one_platform_not_at_all(self):
        self.assertEqual(convergence.divergence("native", ["nvidia", "amd", "host"]), 1)
        self.assertEqual(convergence.divergence("kokkos", ["host", "host"]), 0)
        self.assertIsNone(convergence.divergence("cuda", ["nvidia", "host"]))


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        files = [ONE_PROCESS / "one-process-hip.jsonl.gz", ROOT / "docs" / "results" / "xeon-16" / "kokkos.jsonl.gz"]
        cls.view = View(records.read(files))
        cls.files = pathlib.Path(folder.name) / "p3"
        across.write(cls.view, cls.files)

    def test_performance_is_as_p3_analysis_reads_it(self):
        rows = rows_of(self.files / "performance.csv")
        self.assertTrue(rows)
        for row in rows:
            self.assertTrue(all(row[name] for name in NEEDED), row)
            self.assertGreater(float(row["fom"]), 0)
            for name in ("app eff", "arch eff"):
                self.assertTrue(0 < float(row[name]) <= 1.1, row)
        best = max((row for row in rows if "H200" in row["platform"]), key=lambda row: float(row["fom"]))
        self.assertEqual(float(best["app eff"]), 1)

    def test_no_two_rows_of_a_view_have_one_index(self):
        rows = self.view.standing
        self.assertTrue(rows.index.is_unique, "or the row of a best value is several")
        self.assertTrue(rows["device"].nunique() > 1)

    def test_native_is_cuda_on_nvidia_and_openmp_on_a_cpu(self):
        found = {(row["application"], row["platform"]): row["fom"] for row in rows_of(self.files / "performance.csv")}
        gpu, cpu = "NVIDIA H200", "Intel Xeon, 16 cores"
        self.assertEqual(found["native", gpu], found["cuda", gpu])
        self.assertEqual(found["native", cpu], found["cpu", cpu])

    def test_coverage_is_as_the_code_base_investigator_writes_it(self):
        csv.field_size_limit(1 << 24)
        keys = {row["coverage_key"] for row in rows_of(self.files / "performance.csv")}
        rows = {row["coverage_key"]: json.loads(row["coverage"]) for row in rows_of(self.files / "coverage.csv")}
        self.assertEqual(set(rows), keys)
        for key, files in rows.items():
            self.assertEqual(files, json.loads((self.files / f"coverage-{key}.json").read_text()))
            self.assertTrue(files, key)
            for one in files:
                self.assertEqual({name: type(value) for name, value in one.items()},
                                 {"file": str, "id": str, "used_lines": list, "unused_lines": list})
                lines = len((ROOT / one["file"]).read_text().splitlines())
                numbers = one["used_lines"] + one["unused_lines"]
                self.assertTrue(all(type(line) is int and 1 <= line <= lines for line in numbers))
                self.assertEqual(len(set(numbers)), len(numbers))
