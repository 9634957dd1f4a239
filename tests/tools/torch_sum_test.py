"""tools/torch_sum.py: order of the calls and output, with a stand-in for PyTorch."""

import csv
import sys
import types
import unittest
import unittest.mock

import torch_sum
from running import run_main


def stand_in():
    """(stand-in for the module, list of its calls); each call takes 2 ms."""
    calls, torch, x = [], unittest.mock.MagicMock(__version__="2.0"), unittest.mock.MagicMock()
    torch.cuda.get_device_properties.return_value = types.SimpleNamespace(L2_cache_size=1000, uuid="5eed")
    torch.cuda.get_device_name.return_value = "a GPU"
    torch.cuda.Event = lambda enable_timing: types.SimpleNamespace(
        record=lambda: calls.append("event"), synchronize=lambda: calls.append("synchronize"), elapsed_time=lambda end: 2.0)
    torch.ones.side_effect = lambda count, device: types.SimpleNamespace(sum=lambda: calls.append(f"sweep {count}"))
    torch.sum.side_effect = lambda x, dim, out=None: calls.append(f"sum {dim}" + (" into" if out is not None else "")) or "result"
    torch.randint.side_effect = lambda low, high, shape, **more: x
    x.numel.return_value, x.element_size.return_value = 1000 * 1000, 4
    return torch, calls


def printed(torch, *words):
    with unittest.mock.patch.dict(sys.modules, torch=torch):
        return run_main(torch_sum.main, *words)[1]


class TorchSum(unittest.TestCase):
    def test_each_sample_is_a_sweep_and_one_sum_between_two_events_and_the_line_has_the_bandwidth_of_the_median(self):
        torch, calls = stand_in()
        line, = csv.DictReader(printed(torch, "rows:16", "--samples=2").splitlines())
        self.assertLessEqual({"shape": "rows:16", "type": "float32", "samples": "2", "median_us": "2000.0", "GB_per_s": "2.0",
                              "device": "a GPU", "uuid": "5eed", "torch": "2.0"}.items(), line.items())
        self.assertEqual(torch.randint.call_args.args[2], (1 << 24, 16))
        self.assertEqual(calls, ["sum 1", *["sweep 1000", "event", "sum 1 into", "event", "synchronize"] * 2])
        torch, calls = stand_in()
        printed(torch, "columns:64", "--samples=1", "--type=float64")
        self.assertEqual((calls[0], torch.randint.call_args.args[2]), ("sum 0", (1 << 21, 64)))

    def test_without_torch_or_with_an_unknown_shape_it_says_so_in_one_sentence(self):
        self.assertEqual(printed(None, "rows:4"), "torch_sum: PyTorch is not installed: pip install torch (about 3 GB)")
        self.assertIn("rows:0: a shape is rows:LENGTH or columns:NUMBER", printed(None, "rows:0"))
