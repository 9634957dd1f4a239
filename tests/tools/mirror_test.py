#!/usr/bin/env python3
"""What tools/mirror.py has to notice, tried on a mirror of one rung that is made for it."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "mirror.py"
sys.path.insert(0, str(SCRIPT.parent))
import mirror  # noqa: E402

CUDA, HIP = "cuda/rungs/r00_plain.cu", "hip/rungs/r00_plain.hip"
CUDA_RUNG = """\
// r00: a head
#include "cuda/cuda_grid.hpp"
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
#include "hip/hip_grid.hpp"

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


class Mirror(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.write(CUDA, CUDA_RUNG)
        self.write(HIP, HIP_RUNG)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def change(self, name, before, after):
        text = (self.folder / name).read_text()
        self.assertIn(before, text)
        self.write(name, text.replace(before, after))

    def run_script(self):
        done = subprocess.run([sys.executable, SCRIPT, "--source", self.folder], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def fails(self, *said):
        status, text = self.run_script()
        self.assertEqual(status, 1)
        for words in said:
            self.assertIn(words, text)

    def test_a_rung_renamed_passes(self):
        self.assertEqual(self.run_script(), (0, "1 rungs compared\n"))

    def test_a_change_on_one_side_alone_fails(self):
        for name in (CUDA, HIP):
            before = (self.folder / name).read_text()
            self.change(name, "store(partial)", "store(partial, 1)")
            self.fails("r00_plain.hip: differs by 2 lines", "its head says None", "store(partial,1);")
            self.write(name, before)

    def test_a_change_on_both_sides_or_of_comments_passes(self):
        self.change(CUDA, "add(x)", "add(x, warp)")
        self.change(HIP, "add(x)", "add(x, wave)")
        self.change(HIP, "  store", "  /* at\n last */\n  // yes\n  store")
        self.assertEqual(self.run_script()[0], 0)
        self.change(CUDA, "add(x, warp)", 'add("a//b")')  # no comment
        self.change(HIP, "add(x, wave)", 'add("a//c")')
        self.fails("r00_plain.hip")

    def test_a_difference_passes_where_the_head_tells_it_and_no_other(self):
        diff = mirror.difference(CUDA_RUNG, HIP_RUNG.replace("store(partial)", "store(partial, 1)"))
        self.change(HIP, "store(partial)", "store(partial, 1)")
        self.change(HIP, "another head", f"another head\n//\n// Unlike CUDA's\n// ({mirror.mark(diff)}): it stores more.")
        self.assertEqual(self.run_script()[0], 0)
        self.change(HIP, "store(partial, 1)", "store(partial, 2)")
        self.fails("differs by 2 lines", f"its head says {mirror.mark(diff)}")
        self.change(HIP, "store(partial, 2)", "store(partial)")
        self.fails("differs by None")

    def test_a_rung_that_cuda_lacks_fails(self):
        self.write("hip/rungs/r99_new.hip", "")
        self.fails("r99_new.hip: CUDA has no such rung")

    def test_nothing_to_compare_is_no_pass(self):
        (self.folder / HIP).unlink()
        status, text = self.run_script()
        self.assertEqual(status, 1)
        self.assertIn("has a namesake", text)

    def test_lines_are_joined_and_statements_are_cut(self):
        source = '#pragma unroll 1\nvoid f(T a,\n       T b) {\n  g(\n      a);\n  h("a "\n "b");\n}\n'
        self.assertEqual(mirror.statements(source), ["#pragma unroll 1", "void f(T a,T b){", "g(a);", 'h("ab");', "}"])


if __name__ == "__main__":
    unittest.main()
