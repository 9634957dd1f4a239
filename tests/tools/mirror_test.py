#!/usr/bin/env python3
"""What tools/mirror.py has to notice, tried on a mirror of one rung and one header that is made for it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "mirror.py"
sys.path.insert(0, str(SCRIPT.parent))
import mirror  # noqa: E402

CUDA_RUNG = """\
// r00: a head
#include "cuda/grid.hpp"
namespace ladder::cuda::r00 {
__global__ void reduce(const float* x, float* partial) {
  if (threadIdx.x < warp) add(x);  // one warp
  __syncwarp();
  store(partial);
}
}  // namespace ladder::cuda::r00
"""
HIP_RUNG = """\
// r00: another head
#include "hip/grid.hpp"

namespace ladder::hip::r00 {
__global__ void reduce(const float* x,
                       float* partial) {
  if (threadIdx.x < wave)
    add(x);
  sync_wave();
  store(partial);
}
}  // namespace ladder::hip::r00
"""
TREE = "#include <{0}_runtime.h>\ninline constexpr unsigned {1};\nusing ladder::check;\n{0}Error_t device();\n"
RUNG, HEADER = "hip/rungs/r00_plain.hip", "hip/grid.hpp"


class Mirror(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.list = self.folder / "mirror.txt"
        self.write("cuda/rungs/r00_plain.cu", CUDA_RUNG)
        self.write(RUNG, HIP_RUNG)
        self.write("cuda/grid.hpp", TREE.format("cuda", "warp = 32"))
        self.write(HEADER, TREE.format("hip", "wave = 64").replace("hip_", "hip/hip_"))
        self.run_script("--update")
        self.list.write_text(self.list.read_text().replace("TODO", "Wavefronts are larger."))

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def change(self, name, before, after):
        text = (self.folder / name).read_text()
        self.assertIn(before, text)
        self.write(name, text.replace(before, after))

    def run_script(self, *more):
        done = subprocess.run([sys.executable, SCRIPT, "--source", self.folder, "--list", self.list, *more],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def fails(self, *said):
        status, text = self.run_script()
        self.assertEqual(status, 1)
        for words in said:
            self.assertIn(words, text)

    def test_a_mirror_that_differs_as_reviewed_passes_and_as_nobody_reviewed_fails(self):
        self.assertEqual(self.run_script(), (0, "2 files looked at\n"))
        self.assertIn("-inline constexpr unsigned wave=32;\n  +inline constexpr unsigned wave=64;", self.run_script("--show")[1])
        self.list.write_text("")
        self.fails(f"{HEADER}: differs from the other side (2 lines", "nobody reviewed it", "+inline constexpr unsigned wave=64;")

    def test_a_change_on_one_side_alone_fails_and_on_both_or_of_comments_passes(self):
        for name in ("cuda/rungs/r00_plain.cu", RUNG):
            before = (self.folder / name).read_text()
            self.change(name, "store(partial)", "store(partial, 1)")
            self.fails(f"{RUNG}: differs", "store(partial,1);")
            self.write(name, before)
        self.change("cuda/rungs/r00_plain.cu", "add(x)", "add(x, warp)")
        self.change(RUNG, "add(x)", "add(x, wave)")
        self.change(RUNG, "  store", "  /* at\n last */\n  // yes\n  store")
        self.assertEqual(self.run_script()[0], 0)
        self.change("cuda/rungs/r00_plain.cu", "add(x, warp)", 'add("a//b")')  # no comment
        self.change(RUNG, "add(x, wave)", 'add("a//c")')
        self.fails(RUNG)

    def test_a_reviewed_difference_that_is_gone_or_another_or_elsewhere_fails(self):
        self.change(HEADER, "64", "16")
        self.fails("reviewed were 2 lines", "wave=16;")
        self.change(HEADER, "16", "32")
        self.fails("is the other side's renamed")
        self.change(HEADER, "32", "64")
        self.change(RUNG, "  store(partial);\n", "  sync_wave();\n  store(partial);\n")
        self.run_script("--update")
        self.list.write_text(self.list.read_text().replace("TODO", "Twice."))
        self.assertEqual(self.run_script()[0], 0)
        self.change(RUNG, "  sync_wave();\n  store(partial);\n", "  store(partial);\n  sync_wave();\n")
        self.fails(RUNG)

    def test_a_rung_that_one_side_lacks_fails(self):
        self.write("cuda/rungs/r99_new.cu", "")
        self.fails("cuda/rungs/r99_new.cu: differs from the other side (alone), nobody reviewed it")
        self.run_script("--update")
        self.list.write_text(self.list.read_text().replace("TODO", "HIP has nothing like it."))
        self.assertEqual(self.run_script()[0], 0)
        self.write("hip/rungs/r99_new.hip", "")
        self.fails("cuda/rungs/r99_new.cu: reviewed as alone")

    def test_an_update_keeps_reasons_drops_what_is_gone_and_asks_for_those_that_are_missing(self):
        self.change(RUNG, "store(partial)", "store(partial, 1)")
        self.run_script("--update")
        self.assertIn("Wavefronts are larger.", self.list.read_text())
        self.fails(f"{RUNG}: the reason is still to be written")
        self.change(RUNG, "store(partial, 1)", "store(partial)")
        self.run_script("--update")
        self.assertNotIn(RUNG, self.list.read_text())
        self.assertEqual(self.run_script()[0], 0)

    def test_nothing_to_compare_is_no_pass(self):
        for name in (HEADER, RUNG):
            (self.folder / name).unlink()
        self.fails("has a namesake")

    def test_lines_are_joined_and_statements_are_cut(self):
        source = '#pragma unroll 1\nvoid f(T a,\n       T b) {\n  g(\n      a);\n  h("a "\n "b");\n}\n'
        self.assertEqual(mirror.statements(source), ["#pragma unroll 1", "void f(T a,T b){", "g(a);", 'h("ab");', "}"])


if __name__ == "__main__":
    unittest.main()
