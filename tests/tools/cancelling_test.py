#!/usr/bin/env python3
"""tools/cancelling.py: what it writes cancels as far as it says."""

import fractions
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "cancelling.py"
try:
    import numpy as np
except ImportError as error:
    print(f"not run: {error.name} is not installed (./study setup installs it)")
    sys.exit(77)


class Cancelling(unittest.TestCase):
    def written(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "x.npy"
            said = subprocess.run([sys.executable, SCRIPT, file, *words], text=True, capture_output=True, check=True).stdout
            return np.load(file), said

    def test_the_condition_number_is_that_of_the_exact_sum(self):
        for condition in (1e2, 1e8):
            x, said = self.written("--elements=65536", f"--condition={condition}")
            self.assertEqual((x.dtype, x.shape), (np.float32, (65536,)))
            exact = sum(map(fractions.Fraction, x.tolist()))
            magnitudes = sum(abs(fractions.Fraction(value)) for value in x.tolist())
            came = float(magnitudes / abs(exact))
            self.assertLess(abs(came / condition - 1), 0.02, said)
            self.assertIn(f"condition number {came:.4g}", said)

    def test_the_same_seed_is_the_same_file_and_another_is_another(self):
        first, again, other = (self.written("--elements=4096", f"--seed={seed}")[0] for seed in (1, 1, 2))
        self.assertTrue(np.array_equal(first, again))
        self.assertFalse(np.array_equal(first, other))

    def test_numbers_that_cannot_be_had_are_refused_in_a_sentence(self):
        done = subprocess.run([sys.executable, SCRIPT, "x.npy", "--elements=1001"], text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("an even number of elements, 2000 at least, not 1001", done.stderr)


if __name__ == "__main__":
    unittest.main()
