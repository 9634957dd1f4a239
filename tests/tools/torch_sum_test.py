"""tools/torch_sum.py: order of the calls and output, with a stand-in for PyTorch."""

import json
import sys
import types
import unittest
import unittest.mock

import torch_sum
from running import run_main


def stand_in():
    """(stand-in for the module, list of its calls); each call takes 2 ms."""
    calls, torch, x = [], unittest.mock.MagicMock(__version__="2.0"), unittest.mock.MagicMock()
    torch.cuda.get_device_properties.return_value.L2_cache_size = 1000
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
        found = json.loads(printed(torch, "rows", "1000", "1000", "--samples=2"))
        self.assertEqual(found, {"kind": "torch_sum", "shape": "rows:1000x1000", "type": "float32", "samples": 2,
                                 "median_ns": 2e6, "gb_per_s": 2.0, "torch": "2.0", "device": "a GPU"})
        self.assertEqual(calls, ["sum 1", *["sweep 1000", "event", "sum 1 into", "event", "synchronize"] * 2])
        torch, calls = stand_in()
        printed(torch, "columns", "1000", "1000", "--samples=1")
        self.assertEqual(calls[0], "sum 0")

    def test_without_torch_it_says_so_in_one_sentence(self):
        self.assertEqual(printed(None, "rows", "4", "4"),
                         "torch_sum: PyTorch is not installed: pip install torch (about 3 GB)")
