"""tools/compile_costs.py: which commands it finds, what it tells of one that fails, and what its line has."""

import json
import pathlib
import stat
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import compile_costs
from shared import Failure


class CompileCosts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compiler(self, text):
        """A script in the compiler's place."""
        file = self.folder / "compiler"
        file.write_text("#!/bin/sh\n" + text)
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return str(file)

    def test_finds_each_rung_of_a_gpu_once(self):
        files = (("cuda/rungs/r04_x.cu", "-c"), ("cuda/rungs/r04_x.cu", "-fatbin"), ("cpu/rungs/c00_x.cpp", "-c"),
                 ("kokkos/rungs/b10_y.cpp", "-c"), ("cuda/library/cub.cu", "-c"))
        entries = [{"directory": "/b", "file": f"/s/{file}", "command": f"nvcc {how} /s/{file} -o out"} for file, how in files]
        (self.folder / "compile_commands.json").write_text(json.dumps(entries))
        self.assertEqual(compile_costs.compile_commands(self.folder),
                         {("r04", "cuda"): ("/b", ["nvcc", "-c", "/s/cuda/rungs/r04_x.cu"]),
                          ("b10", "kokkos"): ("/b", ["nvcc", "-c", "/s/kokkos/rungs/b10_y.cpp"])})

    def test_counts_the_time_of_what_a_compiler_runs(self):
        inner = self.compiler(f"{sys.executable} -c 'for i in range(3000000): pass'\n")
        self.assertGreater(compile_costs.compiled(self.folder, [inner], "out"), 0.02)

    def test_tells_what_a_compiler_says_that_fails(self):
        with self.assertRaisesRegex(Failure, "compiler -c x failed:\nno such type"):
            compile_costs.compiled(self.folder, [self.compiler("echo no such type >&2; exit 1\n"), "-c", "x"], "out")

    def test_leaves_empty_what_a_model_lacks(self):
        self.assertEqual(compile_costs.shown(compile_costs.Cost(8.25, 3, 2944)), ("8.2", 3, "3"))
        self.assertEqual(compile_costs.shown(None), ("", "", ""))


if __name__ == "__main__":
    unittest.main()
