#!/usr/bin/env python3
"""tools/cancelling.py: what it writes cancels as far as it says."""

import fractions
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "cancelling.py"
BEFORE = "7202bc08f1e85dfa5ddc71172e8de62b687424e25660cfce909b0f2117475276"  # of 65536 floats
sys.path.insert(0, str(SCRIPT.parent))
try:
    import numpy as np

    import cancelling
except ImportError as error:
    print(f"not run: {error.name} is not installed (./study setup installs it)")
    sys.exit(77)


class Cancelling(unittest.TestCase):
    def written(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "x.npy"
            said = subprocess.run([sys.executable, SCRIPT, file, *words], text=True, capture_output=True, check=True).stdout
            return np.load(file) if file.read_bytes()[:6] == b"\x93NUMPY" else np.fromfile(file, "<u2"), said

    def test_the_condition_number_is_that_of_the_exact_sum(self):
        for condition in (1e2, 1e8):
            x, said = self.written("--elements=65536", f"--condition={condition}")
            self.assertEqual((x.dtype, x.shape), (np.float32, (65536,)))
            exact = sum(map(fractions.Fraction, x.tolist()))
            magnitudes = sum(abs(fractions.Fraction(value)) for value in x.tolist())
            came = float(magnitudes / abs(exact))
            self.assertLess(abs(came / condition - 1), 0.02, said)
            self.assertIn(f"condition number {came:.4g}", said)

    def test_each_type_has_sums_of_each_condition(self):
        for kind in ("f32", "f16", "bf16"):
            for power in range(2, 15 if kind == "f16" else 17, 2):
                x, exact = cancelling.cancelling(65536, 10.0 ** power, 1, kind)
                self.assertTrue(np.array_equal(x, cancelling.rounded(x, kind)), "the type has all of them")
                values = list(map(fractions.Fraction, x.tolist()))
                self.assertEqual(sum(values), fractions.Fraction(exact))
                came = float(sum(map(abs, values)) / abs(sum(values)))
                few = 0.2 if kind == "f16" and power > 12 else 0.02  # its least numbers are far apart
                self.assertLess(abs(came / 10 ** power - 1), few, (kind, power))

    def test_types_of_16_bits_are_written_as_such(self):
        halves, said = self.written("--elements=65536", "--type=f16")
        self.assertEqual(halves.dtype, np.float16)
        self.assertIn("65536 halves, exact sum ", said)
        bits, said = self.written("--elements=65536", "--type=bf16")
        self.assertEqual(bits.shape, (65536,))
        floats = (bits.astype(np.uint32) << 16).view(np.float32)
        self.assertIn(f"exact sum {float(sum(map(fractions.Fraction, floats.tolist())))!r},", said)

    def test_the_files_of_before_are_the_same(self):
        x, _ = self.written("--elements=65536", "--condition=1e8")
        self.assertEqual(hashlib.sha256(x.tobytes()).hexdigest(), BEFORE, "committed records are of them")

    def test_the_same_seed_is_the_same_file_and_another_is_another(self):
        first, again, other = (self.written("--elements=4096", f"--seed={seed}")[0] for seed in (1, 1, 2))
        self.assertTrue(np.array_equal(first, again))
        self.assertFalse(np.array_equal(first, other))

    def test_numbers_that_cannot_be_had_are_refused_in_a_sentence(self):
        done = subprocess.run([sys.executable, SCRIPT, "x.npy", "--elements=1001"], text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("an even number of elements, 2000 at least, not 1001", done.stderr)
        done = subprocess.run([sys.executable, SCRIPT, "x.npy", "--elements=4096", "--type=f16", "--condition=1e18"], text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no f16 is as small as the sum of 4096 would have to be for 1e+18", done.stderr)


if __name__ == "__main__":
    unittest.main()
