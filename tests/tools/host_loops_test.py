"""tools/host_loops.py: what a loop's machine code tells."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import host_loops

SERIAL = ["vaddss (%rax),%xmm0,%xmm0", "add $0x8,%rax", "vaddss -0x4(%rax),%xmm0,%xmm0", "cmp %rcx,%rax", "jne 40 <f>"]
TWO = ["vaddps (%rax),%ymm0,%ymm0", "vaddps 0x20(%rax),%ymm1,%ymm1", "add $0x40,%rax", "cmp %rcx,%rax", "jne 40 <f>"]
STORED = ["vmovss (%r12),%xmm0", "add $0x4,%rdx", "vaddss -0x4(%rdx),%xmm0,%xmm0", "vmovss %xmm0,(%r12)", "jne 70 <f>"]
LEAST = ["vmovups (%rax),%zmm3", "vcmpunordps 0x40(%rax),%zmm3,%k1", "vminps %zmm3,%zmm1,%zmm1",
         "vpternlogd $0xfe,0x40(%rax),%zmm3,%zmm2", "vminps 0x40(%rax),%zmm5,%zmm5",
         "korw %k1,%k0,%k0", "sub $0xffffffffffffff80,%rax", "jb 60 <f>"]
BRANCH = ["add $0x4,%rdx", "cmp %rax,%rdx", "je a6 <f>", "vmovss (%rdx),%xmm1", "vmovd %xmm0,%ebx",
          "vcomiss %xmm0,%xmm1", "ja 76 <f>"]
WIDENED = ["vcvtps2pd (%rax),%zmm3", "vaddpd %zmm3,%zmm8,%zmm8", "vcvtps2pd 0x20(%rax),%zmm3", "vaddpd %zmm3,%zmm9,%zmm9",
           "vandps (%rax),%zmm17,%zmm2", "vmaxps %zmm2,%zmm10,%zmm10", "prefetcht0 0x800(%rax)", "add $0x40,%rax", "jne 10 <f>"]


class Loops(unittest.TestCase):
    def told(self, body, size=4):
        return dict(zip(host_loops.COLUMNS[4:], host_loops.told(body, size)))

    def test_one_register_is_one_chain_however_far_it_is_unrolled(self):
        self.assertEqual(self.told(SERIAL), {"elements": "2", "instructions an element": "2.50", "bytes": "4", "chains": "1",
                                             "operations in a row": "2", "prefetches": "0"})

    def test_each_register_that_is_needed_again_is_a_chain(self):
        told = self.told(TWO)
        self.assertEqual((told["elements"], told["bytes"], told["chains"], told["operations in a row"]), ("16", "32", "2", "1"))

    def test_what_is_stored_and_loaded_is_a_chain_through_memory(self):
        told = self.told(STORED)
        self.assertEqual((told["elements"], told["chains"]), ("1", "1, through memory"))

    def test_a_chain_that_has_no_register_left_is_one_on_the_stack(self):
        spilt = [*TWO[:2], "vmovaps 0x20(%rsp),%ymm2", "vaddps 0x40(%rax),%ymm2,%ymm2", "vmovaps %ymm2,0x20(%rsp)",
                 "vmovaps %ymm2,0x60(%rsp)", "vmovaps 0x60(%rsp),%ymm3", *TWO[2:]]
        self.assertEqual(self.told(spilt)["chains"], "3, 1 through memory")

    def test_a_minimum_by_comparison_and_jump_is_a_chain_through_a_branch(self):
        self.assertEqual(self.told(BRANCH)["chains"], "1, through a branch")

    def test_masks_and_joined_bits_are_chains_and_a_place_counts_once(self):
        told = self.told(LEAST)
        self.assertEqual((told["elements"], told["chains"]), ("32", "4"))
        self.assertEqual(sorted(host_loops.carried(LEAST)), ["%k0", "%mm1", "%mm2", "%mm5"])

    def test_what_is_widened_counts_as_it_is_in_memory(self):
        told = self.told(WIDENED)
        self.assertEqual((told["elements"], told["bytes"], told["chains"], told["prefetches"]), ("16", "64", "3", "1"))

    def test_a_register_that_is_written_first_is_no_chain(self):
        self.assertEqual(host_loops.carried(["vmovups (%rax),%ymm1", "vaddps %ymm1,%ymm0,%ymm0"]), {"%mm0": 1})
        self.assertEqual(host_loops.carried(["addps %xmm1,%xmm0"]), {"%mm0": 1})
        self.assertEqual(host_loops.carried(["vxorps %xmm0,%xmm0,%xmm0", "vaddps (%rax),%xmm0,%xmm0"]), {})

    def test_the_loop_that_walks_furthest_is_the_main_one(self):
        code = [(0x10 + place, text) for place, text in enumerate([*TWO[:-1], "jne 10 <f>", *SERIAL[:-1], "jne 15 <f>"])]
        self.assertEqual(host_loops.main_loop(code, 4)[0], TWO[0])
        self.assertIsNone(host_loops.main_loop([(0, "pause"), (1, "jmp 0 <f>")], 4))

    def test_functions_are_known_by_rung_type_operation_and_target(self):
        name = "ladder::cpu::{}::{}fold<ladder::Case<(ladder::Type)2, (ladder::Operation)0>, 1u>(float const*) [clone ._omp_fn.0]"
        self.assertTrue(host_loops.belongs(name.format("c13", "N_AVX2::"), "c13", "f32", "sum", "AVX2"))
        self.assertFalse(host_loops.belongs(name.format("c13", "N_AVX2::"), "c13", "f32", "sum", "AVX3"))
        self.assertFalse(host_loops.belongs(name.format("c13", "N_AVX2::"), "c13", "f32", "min", "AVX2"))
        self.assertTrue(host_loops.belongs(name.format("c05", ""), "c05", "f32", "sum", "AVX2"))
        self.assertTrue(host_loops.belongs("void ladder::cpu::c12::N_AVX2::add_all<float>(", "c12", "f32", "sum", "AVX2"))

    def test_of_a_compiler_s_own_code(self):
        compiler = shutil.which("g++")
        if not compiler or not shutil.which("objdump"):
            self.skipTest("there is no g++, or no objdump")
        with tempfile.TemporaryDirectory() as folder:
            source, made = pathlib.Path(folder) / "sums.cpp", pathlib.Path(folder) / "sums.o"
            source.write_text("""float one(const float* x, long n) {
  float a = 0;
  for (long i = 0; i < n; ++i) a += x[i];
  return a;
}
float two(const float* x, const float* y, long n) {
  float a = 0, b = 0;
  for (long i = 0; i < n; ++i) { a += x[i]; b += y[i]; }
  return a + b;
}""")
            how = [compiler, "-O2", "-mavx2", "-fno-tree-vectorize", "-c", source, "-o", made]
            done = subprocess.run(how, capture_output=True)
            if done.returncode:
                self.skipTest("the compiler does not make code for x86-64")
            chains = {name[:3]: len(host_loops.carried(host_loops.main_loop(code, 4)))
                      for name, code in host_loops.functions(made)}
        self.assertEqual(chains, {"one": 1, "two": 2})


if __name__ == "__main__":
    unittest.main()
