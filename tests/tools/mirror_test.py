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
#include "cuda/tree.hpp"

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
#include "hip/tree.hpp"

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
CUDA_TREE = """\
#include <cuda_runtime.h>
#include "common/check.hpp"
inline constexpr unsigned warp = 32;
using ladder::check;
cudaError_t device();
"""
HIP_TREE = """\
#include <hip/hip_runtime.h>
#include "common/check.hpp"
inline constexpr unsigned wave = 64;
using ladder::check;
hipError_t device();
"""
REVIEWED = """\
hip/tree.hpp
  Wavefronts are larger.
      #include "common/check.hpp"
    - inline constexpr unsigned warp = 32;
    + inline constexpr unsigned wave = 64;
"""


class Mirror(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.list = self.folder / "mirror.txt"
        self.write("cuda/rungs/r00_plain.cu", CUDA_RUNG)
        self.write("hip/rungs/r00_plain.hip", HIP_RUNG)
        self.write("cuda/tree.hpp", CUDA_TREE)
        self.write("hip/tree.hpp", HIP_TREE)

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def run_script(self, listed=None, *more):
        if listed is not None:
            self.list.write_text(listed)
        done = subprocess.run([sys.executable, SCRIPT, "--source", self.folder, "--list", self.list, *more],
                              capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_a_mirror_that_differs_as_reviewed_passes(self):
        self.assertEqual(self.run_script(REVIEWED), (0, "2 files looked at\n"))

    def test_a_difference_that_nobody_reviewed_fails_and_is_shown_with_files_and_lines(self):
        status, text = self.run_script("")
        self.assertEqual(status, 1)
        self.assertIn("  - cuda/tree.hpp:3: inline constexpr unsigned warp = 32;\n"
                      "  + hip/tree.hpp:3: inline constexpr unsigned wave = 64;\n", text)

    def test_a_change_on_one_side_alone_fails(self):
        for name, text in (("cuda/rungs/r00_plain.cu", CUDA_RUNG), ("hip/rungs/r00_plain.hip", HIP_RUNG)):
            with self.subTest(name):
                self.write(name, text.replace("store(partial)", "store(partial, 1)"))
                status, said = self.run_script(REVIEWED)
                self.assertEqual(status, 1)
                self.assertIn("hip/rungs/r00_plain.hip is not cuda/rungs/r00_plain.cu renamed", said)
                self.assertIn("store(partial, 1);", said)
                self.write(name, text)

    def test_the_same_change_on_both_sides_passes(self):
        self.write("cuda/rungs/r00_plain.cu", CUDA_RUNG.replace("add(x)", "add(x, warp)"))
        self.write("hip/rungs/r00_plain.hip", HIP_RUNG.replace("add(x)", "add(x, wave)"))
        self.assertEqual(self.run_script(REVIEWED)[0], 0)

    def test_a_change_of_a_comment_passes(self):
        self.write("hip/rungs/r00_plain.hip", HIP_RUNG.replace("  store", "  /* at\n last */\n  // yes\n  store"))
        self.assertEqual(self.run_script(REVIEWED)[0], 0)

    def test_what_looks_like_a_comment_in_a_string_is_code(self):
        self.write("cuda/rungs/r00_plain.cu", CUDA_RUNG.replace("add(x)", 'add("a//b")'))
        self.write("hip/rungs/r00_plain.hip", HIP_RUNG.replace("add(x)", 'add("a//c")'))
        self.assertEqual(self.run_script(REVIEWED)[0], 1)

    def test_a_reviewed_difference_that_is_gone_fails(self):
        self.write("hip/tree.hpp", HIP_TREE.replace("64", "32"))
        status, text = self.run_script(REVIEWED)
        self.assertEqual(status, 1)
        self.assertIn("mirror.txt:2: hip/tree.hpp: reviewed, but no longer so", text)

    def test_a_reviewed_difference_that_is_another_by_now_fails(self):
        self.write("hip/tree.hpp", HIP_TREE.replace("64", "16"))
        status, text = self.run_script(REVIEWED)
        self.assertEqual(status, 1)
        self.assertIn("no longer so", text)
        self.assertIn("wave = 16;", text)

    def test_a_reviewed_difference_at_another_place_fails(self):
        text = HIP_RUNG.replace("  sync_wave();\n", "  sync_wave();\n  sync_wave();\n")
        self.write("hip/rungs/r00_plain.hip", text)
        self.run_script(REVIEWED, "--update")
        reviewed = self.list.read_text().replace("TODO", "Twice.")
        self.assertEqual(self.run_script(reviewed)[0], 0)
        text = HIP_RUNG.replace("  store(partial);\n", "  store(partial);\n  sync_wave();\n")
        self.write("hip/rungs/r00_plain.hip", text)
        self.assertEqual(self.run_script(reviewed)[0], 1)

    def test_a_rung_that_one_side_lacks_fails(self):
        for name in ("cuda/rungs/r00_plain.cu", "hip/rungs/r00_plain.hip"):
            with self.subTest(name):
                before = (self.folder / name).read_text()
                (self.folder / name).unlink()
                status, text = self.run_script(REVIEWED)
                self.assertEqual(status, 1)
                self.assertIn("the other side does not have it", text)
                self.write(name, before)

    def test_a_header_that_others_include_is_held_too(self):
        self.write("include/ladder/cuda/detail/tree.hpp", "cudaError_t code();\n")
        self.write("include/ladder/hip/detail/tree.hpp", "hipError_t code();\n")
        self.assertEqual(self.run_script(REVIEWED), (0, "3 files looked at\n"))
        self.write("include/ladder/hip/detail/tree.hpp", "hipError_t code(int);\n")
        status, text = self.run_script(REVIEWED)
        self.assertEqual(status, 1)
        self.assertIn("include/ladder/hip/detail/tree.hpp is not include/ladder/cuda/detail/tree.hpp renamed", text)

    def test_a_header_that_one_side_lacks_fails_but_for_the_platforms(self):
        self.write("include/ladder/cuda/detail/platform.hpp", "")
        self.assertEqual(self.run_script(REVIEWED)[0], 0)
        self.write("include/ladder/cuda/reduce.hpp", "")
        status, text = self.run_script(REVIEWED)
        self.assertEqual(status, 1)
        self.assertIn("include/ladder/cuda/reduce.hpp: the other side does not have it", text)

    def test_a_file_that_one_side_alone_is_to_have_passes_until_the_other_has_it(self):
        self.write("cuda/rungs/r21_new.cu", "")
        reviewed = REVIEWED + "\ncuda/rungs/r21_new.cu\n  AMD has nothing like it.\n"
        self.assertEqual(self.run_script(reviewed)[0], 0)
        self.write("hip/rungs/r21_new.hip", "")
        status, text = self.run_script(reviewed)
        self.assertEqual(status, 1)
        self.assertIn("on one side alone, and is not", text)

    def test_an_update_keeps_reasons_and_asks_for_those_that_are_missing(self):
        self.write("hip/rungs/r00_plain.hip", HIP_RUNG.replace("store(partial)", "store(partial, 1)"))
        self.write("hip/rungs/r21_new.hip", "")
        self.write("hip/queue.hpp", "")  # which is not held
        self.run_script(REVIEWED, "--update")
        updated = self.list.read_text()
        self.assertIn("Wavefronts are larger.", updated)
        status, text = self.run_script()
        self.assertEqual(status, 1)
        self.assertEqual(text.count("the reason is still to be written"), 2, text)
        self.assertEqual(self.run_script(updated.replace("TODO", "So it is."))[0], 0)

    def test_an_update_drops_what_is_no_longer_so(self):
        self.write("hip/tree.hpp", HIP_TREE.replace("64", "32"))
        self.run_script(REVIEWED, "--update")
        self.assertNotIn("Wavefronts", self.list.read_text())
        self.assertEqual(self.run_script()[0], 0)

    def test_one_reason_may_explain_several_places_and_take_several_lines(self):
        self.write("hip/tree.hpp", HIP_TREE.replace("device();", "device(int);"))
        reason = "Because " + "of this and that " * 20
        self.run_script(REVIEWED.replace("Wavefronts are larger.", reason)
                        + "      using ladder::check;\n    - cudaError_t device();\n"
                          "    + hipError_t device(int);\n", "--update")
        self.assertNotIn("TODO", self.list.read_text())
        self.assertLessEqual(max(map(len, self.list.read_text().splitlines())), 120)
        self.assertEqual(self.run_script()[0], 0)

    def test_nothing_to_compare_is_no_pass(self):
        for name in ("hip/tree.hpp", "hip/rungs/r00_plain.hip"):
            (self.folder / name).unlink()
        status, text = self.run_script("")
        self.assertEqual(status, 1)
        self.assertIn("has a namesake", text)

    def test_the_renames_are_told(self):
        done = subprocess.run([sys.executable, SCRIPT, "--renames"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("| `__syncwarp()` | `sync_wave()` |", done.stdout)


class Statements(unittest.TestCase):
    """How a source is cut and shown."""

    def texts(self, source):
        return [one.text for one in mirror.statements(source)]

    def test_lines_are_joined_and_bodies_are_not(self):
        self.assertEqual(self.texts("template <class T>\nvoid f(T a,\n       T b) {\n  g(\n      a);\n  h(b);\n}\n"),
                         ["template <class T> void f(T a, T b) {", "g(a);", "h(b);", "}"])

    def test_the_head_of_a_loop_is_one_statement_with_what_it_repeats(self):
        self.assertEqual(self.texts("#pragma unroll 1\nfor (int i = 0; i < n; ++i)\n  f(i);\n"),
                         ["#pragma unroll 1", "for (int i = 0; i < n; ++i) f(i);"])

    def test_a_function_in_a_call_has_statements_of_its_own(self):
        self.assertEqual(self.texts("call(x, [&] {\n  f();\n});\n"), ["call(x, [&] {", "f();", "});"])

    def test_each_line_of_a_table_is_one(self):
        self.assertEqual(self.texts('array a{\n    Entry{"a", 1},\n    Entry{"b", 2},\n};\n'),
                         ['array a{Entry{"a", 1},', 'Entry{"b", 2},', "};"])

    def test_a_string_on_two_lines_is_one(self):
        self.assertEqual(self.texts('f("a "\n  "b");\n'), ['f("a b");'])

    def test_the_other_branch_stays_with_the_brace_before(self):
        self.assertEqual(self.texts("if (a) {\n  f();\n} else {\n  g();\n}\n"),
                         ["if (a) {", "f();", "} else {", "g();", "}"])


if __name__ == "__main__":
    unittest.main()
