"""tools/torch_sum.py without PyTorch: shapes, records, and the order of the calls by a stand-in for its module."""

import argparse
import pathlib
import subprocess
import sys
import types
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))

import torch_sum


class StandIn:
    """Writes down the calls that a sample consists of."""

    def __init__(self):
        self.calls = []
        names = self

        class Event:
            def __init__(self, enable_timing):
                assert enable_timing

            def record(self):
                names.calls.append("event")

            def synchronize(self):
                names.calls.append("synchronize")

            def elapsed_time(self, _end):
                return 2.0

        self.cuda = types.SimpleNamespace(Event=Event, get_device_properties=lambda _: types.SimpleNamespace(L2_cache_size=1000))

    def ones(self, count, device):
        self.swept = count
        return types.SimpleNamespace(sum=lambda: self.calls.append("sweep"))

    def sum(self, x, dim, out=None):
        self.calls.append(f"sum {dim}" if out is None else f"sum {dim} into")
        return x

    def equal(self, a, b):
        return True


class TorchSum(unittest.TestCase):
    def test_a_shape_names_its_direction_and_may_have_powers(self):
        self.assertEqual(torch_sum.shape("rows:2^10x17"), ("rows", 1024, 17))
        self.assertEqual(torch_sum.shape("columns:3x5"), ("columns", 3, 5))
        for text in ("rows:4", "rows:4x", "diagonals:4x4", "rows:0x4", "rows:-1x4", "4x4", "rows:2^x4"):
            with self.assertRaises(argparse.ArgumentTypeError, msg=text):
                torch_sum.shape(text)

    def test_a_record_has_the_bandwidth_of_the_median(self):
        record = torch_sum.record("rows", 1000, 1000, "f32", [1.0, 2.0, 9.0], torch="2.0", device="a GPU")
        self.assertEqual(record, {"kind": "torch_sum", "shape": "rows:1000x1000", "type": "f32", "samples": 3,
                                  "median_ns": 2e6, "gb_per_s": 2.0, "torch": "2.0", "device": "a GPU"})

    def test_each_sample_is_a_sweep_and_one_sum_between_two_events(self):
        torch = StandIn()
        x = types.SimpleNamespace(device="cuda", dtype=None)
        x.double = lambda: types.SimpleNamespace(sum=lambda dim: types.SimpleNamespace(to=lambda dtype: x))
        self.assertEqual(torch_sum.times(torch, x, 1, 2), [2.0, 2.0])
        self.assertEqual(torch.calls, ["sum 1", *["sweep", "event", "sum 1 into", "event", "synchronize"] * 2])
        self.assertEqual(torch.swept * 4, 4 * 1000)

    def test_without_torch_it_says_so_in_one_sentence(self):
        done = subprocess.run([sys.executable, "-c", "import runpy, sys; sys.modules['torch'] = None; "
                               f"sys.argv = ['torch_sum.py', '--shape', 'rows:4x4']; runpy.run_path('{TOOLS}/torch_sum.py', "
                               "run_name='__main__')"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "torch_sum: PyTorch is not installed: pip install torch (about 3 GB)\n")


if __name__ == "__main__":
    unittest.main()
