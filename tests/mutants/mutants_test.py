#!/usr/bin/env python3
"""The mutants fit the sources as they are, and the generator places the same ones for the same seed.

Exit status 77 where Python is older than 3.11."""

import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile
import time
import unittest
import unittest.mock

try:
    import mutants
    import of_rungs
except ImportError:  # tomllib, which Python has had since 3.11
    sys.exit(77)


def alive(pid):
    """Whether that process runs: one that nobody has waited for yet does not."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Mutants(unittest.TestCase):
    def test_each_by_hand_changes_one_place(self):
        found = mutants.by_hand()
        self.assertGreaterEqual(len(found), 60)
        self.assertEqual(len({one.name for one in found}), len(found))
        for one in found:
            text = (mutants.ROOT / one.file).read_text()
            self.assertEqual(text.count(one.old), 1, one.name)
            self.assertNotEqual(one.applied(text), text, one.name)

    def test_each_by_hand_names_tests_that_there_are(self):
        sources = "".join(path.read_text() for folder in ("bench", "common", "device/host")
                          for path in (mutants.ROOT / "tests" / folder).glob("*_test.cpp"))
        suites = set(re.findall(r"^(?:TYPED_)?TEST(?:_F|_P)?\((\w+),", sources, re.M))
        for one in mutants.by_hand():
            program, *filters = one.tests.split(" ")
            if program.endswith(".py"):
                self.assertTrue((mutants.ROOT / program).is_file(), one.name)
                continue
            self.assertIn(program, ("bench_tests", "common_tests"), one.name)
            for part in ":".join(filters).split(":"):
                self.assertTrue(any(re.match(part.split(".")[0].replace("*", ".*") + "$", suite) for suite in suites),
                                f"{one.name}: {part}")

    def test_the_generator_places_the_same_for_the_same_seed(self):
        first, again, other = (mutants.generated(50, seed) for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual(len(first), 50)
        self.assertEqual({one.name.split()[0] for one in first}, {"relation", "sign", "constant", "statement", "condition"})

    def test_what_is_generated_changes_the_code_where_it_says(self):
        found = mutants.generated(150, 1)
        self.assertEqual(len(found), 150)
        for one in found:
            text = (mutants.ROOT / one.file).read_text()
            self.assertTrue(text.startswith(one.old, one.at), one.name)
            self.assertNotEqual(one.applied(text), text, one.name)
            self.assertTrue(mutants.code_of(text)[one.at].strip(), f"{one.name}: not in a comment or a text")

    def test_those_of_rungs_are_of_all_models_alike_and_have_their_rungs_tests(self):
        every = {path.resolve() for pattern, _ in of_rungs.MODELS.values() for path in mutants.ROOT.glob(pattern)}
        found = of_rungs.drawn(42, 1, every)
        self.assertEqual([one.file.split("/")[0] for one in found[:6]], ["cuda", "hip", "kokkos"] * 2)
        self.assertEqual(found, of_rungs.drawn(42, 1, every))
        self.assertEqual(len({one.name for one in found}), 42)
        for one in found:
            text = (mutants.ROOT / one.file).read_text()
            self.assertTrue(text.startswith(one.old, one.at), one.name)
            self.assertIn(f".{one.file.split('/')[-1].split('.')[0]}_*", one.tests)
        self.assertFalse(of_rungs.drawn(42, 1, set()), "of what a build does not have there are none")

    def test_each_that_changes_nothing_is_one_of_the_sources_as_they_are(self):
        self.assertEqual(set(mutants.equivalent()) - {one.name for one in mutants.of_the_host(1)}, set())

    def test_what_a_program_has_started_ends_with_it(self):
        for ends, status in (("exec sleep 60", -1), ("exit 3", 3)):
            with tempfile.TemporaryDirectory() as folder:
                pid = pathlib.Path(folder) / "pid"
                words = ["sh", "-c", f"sleep 60 >/dev/null 2>&1 & echo $! >{pid}; {ends}"]
                self.assertEqual(mutants.run(words, folder, 1)[0], status)
                deadline = time.monotonic() + 10
                while (running := alive(int(pid.read_text()))) and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertFalse(running)

    def test_comments_and_texts_are_no_code(self):
        code = mutants.code_of('a < b; // c < d\nf("e < f"); /* g\n< h */ i < j;')
        self.assertEqual([match.start() for match in re.finditer("<", code)], [2, 42])
        self.assertEqual(code.count("\n"), 2)

    def test_one_that_does_not_compile_is_replaced_by_the_next(self):
        class Compiles:
            def verdict(self, mutant):
                return mutants.NOT_ONE if mutant.name.startswith("sign") else "survived" if mutant.at % 2 else "caught"

        with tempfile.TemporaryDirectory() as folder:
            file, placed = pathlib.Path(folder) / "verdicts.json", mutants.generated(80, 1)
            with contextlib.redirect_stdout(io.StringIO()):
                counts = mutants.Run([Compiles(), Compiles()], {}, file).all(placed, 20, float("inf"))
            self.assertEqual(counts["caught"] + counts["survived"], 20)
            self.assertEqual(counts[mutants.NOT_ONE], 5, "of five operators one")
            self.assertEqual(len(json.loads(file.read_text())), 25)
            known = json.loads(file.read_text())
            with contextlib.redirect_stdout(io.StringIO()):
                self.assertEqual(mutants.Run([None], known, file).all(placed, 20, float("inf")), counts, "none is run again")

    def test_what_takes_seconds_runs_on_what_survives(self):
        class Told(mutants.Tree):
            def __init__(self):
                self.build, self.root, self.asked = pathlib.Path(__file__).parent.parent, pathlib.Path("/"), []

        def passes(_, filters, *__):
            tree.asked.append(filters)
            return not tree.fast

        tree = Told()
        with unittest.mock.patch.object(mutants, "passes", passes):
            for tree.fast, asked in ((True, [["-slow.*"]]), (False, [["-slow.*"], ["slow.*"]])):
                tree.asked = []
                with unittest.mock.patch.dict(mutants.SLOW, {"by_hand.toml": "slow.*"}):
                    self.assertEqual(tree.fails("by_hand.toml"), tree.fast)
                self.assertEqual(tree.asked, asked)

    def test_what_is_equivalent_has_a_reason(self):
        self.assertTrue((mutants.HERE / "equivalent.toml").is_file())
        for name, why in mutants.equivalent().items():
            self.assertGreater(len(why), 20, name)

    def test_the_list_can_be_looked_at_without_a_build(self):
        self.assertEqual(mutants.main(["list", "--generated=5"]), 0)


if __name__ == "__main__":
    unittest.main()
