"""tools/mirror.py finds differences, tested by changes of the committed rungs."""

import shutil

import mirror
from running import ROOT, InFolder, run_tool

CUDA, HIP = "cuda/rungs/r04_sequential_addressing.cu", "hip/rungs/r04_sequential_addressing.hip"
LEVEL = "if (tid < s)"


class Mirror(InFolder):
    def setUp(self):
        super().setUp()
        for rungs in ("cuda/rungs", "hip/rungs"):
            shutil.copytree(ROOT / rungs, self.folder / rungs)

    def run_script(self):
        return run_tool("mirror.py", "--source", self.folder)

    def fails(self, *said):
        status, text = self.run_script()
        self.assertEqual(status, 1)
        for words in said:
            self.assertIn(words, text)

    def test_a_change_passes_on_both_sides_alone_or_in_comments(self):
        self.change(HIP, LEVEL, f"// a comment\n {LEVEL} /* on\n two lines */")
        self.assertEqual(self.run_script()[0], 0)
        self.change(HIP, LEVEL, "if (tid <= s)")
        self.fails("r04_sequential_addressing.hip: differs by 2 lines", "its head says None", "if(tid<=s)")
        self.change(CUDA, LEVEL, "if (tid <= s)")
        self.assertEqual(self.run_script()[0], 0)
        self.change(CUDA, "if (tid <= s)", LEVEL)
        self.fails("r04_sequential_addressing.hip: differs by 2 lines")

    def test_a_difference_passes_where_the_head_tells_it_and_no_other(self):
        cuda, hip = ((self.folder / name).read_text() for name in (CUDA, HIP))
        mark = mirror.mark(mirror.difference(cuda, hip.replace(LEVEL, "if (tid <= s)")))
        self.change(HIP, LEVEL, "if (tid <= s)")
        self.change(HIP, "// r04", f"// Unlike CUDA's\n// ({mark}): it adds more.\n//\n// r04")
        self.assertEqual(self.run_script()[0], 0)
        self.change(HIP, "if (tid <= s)", "if (tid != s)")
        self.fails("differs by 2 lines", f"its head says {mark}")
        self.change(HIP, "if (tid != s)", LEVEL)
        self.fails("differs by None")

    def test_a_rung_without_its_namesake_fails_and_so_does_none(self):
        (self.folder / CUDA).unlink()
        self.fails("r04_sequential_addressing.hip: CUDA has no such rung")
        shutil.rmtree(self.folder / "cuda")
        self.fails("has a namesake")

    def test_lines_are_joined_and_statements_are_cut(self):
        source = '#pragma unroll 1\nvoid f(T a,\n       T b) {\n  g(\n      a);\n  h("a//"\n "b");\n}\n'
        self.assertEqual(mirror.statements(source), ["#pragma unroll 1", "void f(T a,T b){", "g(a);", 'h("a//b");', "}"])
