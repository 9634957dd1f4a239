"""tools/same_code.py on made-up machine code."""

import unittest

import same_code


def kernel(backend, file, rung="r04", rest="6reduceIfEEvPKT_", build="0123abcd"):
    space = f"_GLOBAL__N__{build}_{len(file)}_{file}_4567cdef"
    return f"_ZN6ladder{len(backend)}{backend}3{rung}{len(space)}{space}{rest}"


CODE = [(0, "", "LDG.E", "R0, [R2]"), (16, "@!P0", "EXIT", "")]
OTHER = [(0, "", "LDG.E", "R1, [R2]"), (16, "@!P0", "EXIT", "")]
CUDA, HIP = kernel("cuda", "r04_name_cu"), kernel("hip", "r04_name_hip")


class SameCode(unittest.TestCase):
    def test_each_kernel_is_compared_with_that_of_its_own_type_and_rung(self):
        double = kernel("hip", "r04_name_hip", rest="6reduceIdEEvPKT_")
        for kernels, identical, alone in (
                ({CUDA: CODE, HIP: CODE}, 1, 0), ({CUDA: CODE, HIP: [(address + 64, *line) for address, *line in CODE]}, 1, 0),
                ({CUDA: CODE, HIP: OTHER}, 0, 1), ({CUDA: CODE, double: OTHER}, 0, 2),
                ({kernel("cuda", "r05_name_cu", "r05"): CODE, HIP: CODE}, 0, 1)):
            (_, rung, total, same, different), = same_code.changes(*same_code.beside(kernels))
            self.assertEqual((rung, total, same, len(different)), ("r04", 1, identical, alone))
        self.assertEqual(list(same_code.changes(*same_code.beside({CUDA: CODE, "_ZN6ladder3hip5emptyEv": CODE}))), [])


class Rungs(unittest.TestCase):
    def test_a_kernel_of_the_header_is_r30s_or_b10s(self):
        for name, rung in (("4cuda2v113reduce_detail6reduceILj512E", ("cuda", "r30")), ("3hip2v113reduce_detail12reduce_wholeI",
                           ("hip", "r30")), ("4cuda2v113reduce_detail13rows_by_lanesIPKf", ("cuda", "b10")),
                           ("3hip2v113reduce_detail22segments_by_merge_pathI", ("hip", "b10")),
                           ("6kokkos2v113reduce_detail9MergePathI", ("kokkos", "b10")),
                           ("6kokkos2v113reduce_detail8InSharesI", ("kokkos", "r30")), ("4cuda5otherE", None)):
            self.assertEqual(same_code.rung_of(f"_ZN6ladder{name}"), rung, name)


class OldAndNew(unittest.TestCase):
    def changes(self, before, after, model=None):
        return list(same_code.changes(*(same_code.by_rung(kernels, model) for kernels in (before, after))))

    def test_a_kernel_of_another_build_with_the_same_code_is_the_same(self):
        for backend in ("cuda", "hip", "kokkos"):
            with self.subTest(backend):
                old = kernel(backend, "r11_name_cu", "r11")
                new = kernel(backend, "another_name_cu", "r11", build="89abcdef")
                self.assertEqual(self.changes({old: CODE}, {new: CODE}), [(backend, "r11", 1, 1, [])])

    def test_the_namespace_of_a_file_may_stand_deep_in_a_name(self):
        name = "_ZN6Kokkos4Impl11ParallelForI" + CUDA[2:].replace("4cuda", "6kokkos") + "EE"
        other = name.replace("0123abcd", "89abcdef")
        self.assertEqual(self.changes({name: CODE}, {other: CODE}), [("kokkos", "r04", 1, 1, [])])

    def test_another_code_is_told_with_the_kernel(self):
        (_, _, total, same, different), = self.changes({CUDA: CODE}, {CUDA: OTHER})
        self.assertEqual((total, same, len(different)), (1, 0, 1))
        self.assertEqual(*different[0])

    def test_a_type_of_another_name_is_found_by_its_code(self):
        old = kernel("cuda", "r04_name_cu", rest="6reduceIf3SumEEvPKT_")
        new = kernel("cuda", "r04_name_cu", rest="6reduceIf4Plus3SumEEvPKT_")
        self.assertEqual(self.changes({old: CODE}, {new: CODE})[0][2:], (1, 1, []))
        (_, _, total, same, different), = self.changes({old: CODE}, {new: OTHER})
        self.assertEqual((total, same, {sides.index(None) for sides in different}), (1, 0, {0, 1}), "each on one side alone")

    def test_a_kernel_on_one_side_alone_is_told(self):
        self.assertEqual(self.changes({CUDA: CODE}, {})[0][2:], (0, 0, [(same_code.place_of(CUDA)[2], None)]))
        self.assertEqual(self.changes({}, {CUDA: CODE})[0][2:], (1, 0, [(None, same_code.place_of(CUDA)[2])]))

    def test_one_model_may_be_asked_for(self):
        self.assertEqual(self.changes({CUDA: CODE, HIP: CODE}, {CUDA: CODE, HIP: OTHER}, "cuda"), [("cuda", "r04", 1, 1, [])])
