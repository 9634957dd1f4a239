#!/usr/bin/env python3
"""bench/same_code.py on made-up machine code."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import same_code  # noqa: E402


def kernel(backend, file, rung="r04", rest="6reduceIfEEvPKT_"):
    space = f"_GLOBAL__N__0123abcd_{len(file)}_{file}_4567cdef"
    return f"_ZN6ladder{len(backend)}{backend}3{rung}{len(space)}{space}{rest}"


CODE = [(0, "", "LDG.E", "R0, [R2]"), (16, "@!P0", "EXIT", "")]
OTHER = [(0, "", "LDG.E", "R1, [R2]"), (16, "@!P0", "EXIT", "")]
CUDA, HIP = kernel("cuda", "r04_name_cu"), kernel("hip", "r04_name_hip")


class SameCode(unittest.TestCase):
    def one(self, kernels):
        records = same_code.compared(kernels, {})
        self.assertEqual(len(records), 1)
        return records[0]

    def test_two_files_with_the_same_kernel_are_the_same(self):
        record = self.one({CUDA: CODE, HIP: CODE})
        self.assertEqual((record["rung"], record["kernels"], record["identical"]), ("r04", 1, 1))

    def test_where_the_code_lies_does_not_count(self):
        self.assertEqual(self.one({CUDA: CODE, HIP: [(address + 64, *line) for address, *line in CODE]})["identical"], 1)

    def test_another_register_is_another_code(self):
        record = self.one({CUDA: CODE, HIP: OTHER})
        self.assertEqual(record["identical"], 0)
        self.assertEqual(record["different"], [{"kernel": HIP, "instructions": 2, "instructions_cuda": 2}])

    def test_a_kernel_is_held_against_that_of_its_own_type_and_rung(self):
        double = kernel("hip", "r04_name_hip", rest="6reduceIdEEvPKT_")
        record = self.one({CUDA: CODE, double: CODE})
        self.assertEqual((record["identical"], record["without_counterpart"]), (0, 1))
        self.assertEqual(self.one({kernel("cuda", "r05_name_cu", "r05"): CODE, HIP: CODE})["without_counterpart"], 1)

    def test_kernels_of_others_are_left_out(self):
        self.assertEqual(same_code.compared({CUDA: CODE, "_ZN6ladder3hip5emptyEv": CODE, "other": CODE}, {}), [])


if __name__ == "__main__":
    unittest.main()
