"""tools/tune.py: what it chooses of what it has measured, and the file that it writes.

Exit status 77 where pandas, matplotlib or Jinja2 are not installed."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "bench" / "report"), str(ROOT / "tools")]
from cases import Case  # noqa: E402  (it ends the test where something is not installed)

# isort: split
import tune  # noqa: E402

SMALL, LARGE = (128, 1, tune.ALONE), (1024, 4, tune.ONE_PASS)


def tried(**gains):
    """{choice: rounds} with the gains of both choices at each n."""
    return {choice: [{("f32", "sum", n): of[n] for n in of}, {("f32", "sum", n): of[n] for n in of}]
            for choice, of in ((SMALL, gains["small"]), (LARGE, gains["large"]))}


class Tune(Case):
    def test_the_best_of_each_size_is_taken(self):
        found = tune.chosen(tried(small={16: 1.3, 4096: 1.0}, large={16: 1.0, 4096: 1.2}))
        self.assertEqual(found, {("f32", "sum"): [(16, SMALL), (4096, LARGE)]})

    def test_a_neighbours_choice_stays_where_it_is_as_good(self):
        found = tune.chosen(tried(small={16: 1.3, 32: 1.100, 4096: 1.0}, large={16: 1.0, 32: 1.104, 4096: 1.2}))
        self.assertEqual(found["f32", "sum"], [(16, SMALL), (32, SMALL), (4096, LARGE)])

    def test_what_could_not_be_had_at_a_size_is_not_taken_there(self):
        found = tune.chosen(tried(small={16: 1.3}, large={16: 1.0, 4096: 0.9}))
        self.assertEqual(found["f32", "sum"], [(16, SMALL), (4096, LARGE)])

    def test_a_file_has_a_line_where_the_choice_changes(self):
        found = {("f64", "max"): [(16, SMALL), (32, SMALL), (64, LARGE)]}
        content = tune.content_of("a GPU", "1234", found, {"f64": 8}, ["tune"])
        self.assertEqual(content["device"], {"name": "a GPU"})
        self.assertEqual([(line["from_bytes"], line["block"], line["per_unit"]) for line in content["choices"]],
                         [(0, 128, tune.ALONE), (512, 1024, tune.ONE_PASS)])

    def test_the_kernels_are_those_of_the_header(self):
        self.assertIn((1024, 4, True), tune.instances())
        self.assertTrue(all((*choice[:2], choice[2] == tune.ALONE) in tune.instances() for choice in tune.candidates()))

    def test_a_choice_is_judged_by_processes_in_turns(self):
        class Bench:
            def __init__(self):
                self.calls = []

            def gains(self, content=None):
                self.calls.append(content)
                drift = 1 + 0.1 * len(self.calls)  # both get slower, alike but for a little
                return {("f32", "sum", 16): (1.2 if content else 1.0) * drift}, "a GPU", "1234"

        bench = Bench()
        [(key, estimate)] = tune.judged(bench, {"choices": []}, 4)
        self.assertEqual(key, ("f32", "sum", 16))
        self.assertEqual([call is None for call in bench.calls], [False, True] * 4)
        low, high = estimate.ends
        self.assertLess(1.0, low)
        self.assertLess(high, 1.25)


if __name__ == "__main__":
    unittest.main()
