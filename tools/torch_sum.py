#!/usr/bin/env python3
"""Times torch.sum over the rows or the columns of a matrix, for a comparison with the rungs b00 to b10.

    tools/torch_sum.py rows 1048576 256 [--type float32] [--samples 20] >> torch.jsonl

Each sample is one call between two CUDA events, into a result that exists, after a read of four times the L2 cache. Prints a JSON
object: the shape, the median time, GB/s of the elements, the version of torch and the device. The first call is not measured; its
result has to be that of the same sum in double.
"""

import argparse
import json
import statistics
import sys


def times(torch, x, dim, samples):
    """Milliseconds of each of `samples` cold calls."""
    result = torch.sum(x, dim)
    if not torch.equal(result, x.double().sum(dim).to(x.dtype)):
        sys.exit("torch_sum: a sum of small integers is wrong")
    sweep = torch.ones(torch.cuda.get_device_properties(x.device).L2_cache_size, device=x.device)  # 4-byte elements
    found = []
    for _ in range(samples):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        sweep.sum()  # takes longer than the host needs to enqueue the rest
        begin.record()
        torch.sum(x, dim, out=result)
        end.record()
        end.synchronize()
        found.append(begin.elapsed_time(end))
    return found


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("by", choices=("rows", "columns"))
    parser.add_argument("rows", type=int)
    parser.add_argument("columns", type=int)
    parser.add_argument("--type", choices=("float32", "float64", "float16", "bfloat16"), default="float32")
    parser.add_argument("--samples", type=int, default=20)
    wanted = parser.parse_args(words)
    try:
        import torch
    except ImportError:
        sys.exit("torch_sum: PyTorch is not installed: pip install torch (about 3 GB)")
    if not torch.cuda.is_available():
        sys.exit("torch_sum: PyTorch finds no GPU")
    x = torch.randint(-1, 2, (wanted.rows, wanted.columns), device="cuda", dtype=getattr(torch, wanted.type))
    median = statistics.median(times(torch, x, 1 if wanted.by == "rows" else 0, wanted.samples))
    print(json.dumps({"kind": "torch_sum", "shape": f"{wanted.by}:{wanted.rows}x{wanted.columns}", "type": wanted.type,
                      "samples": wanted.samples, "median_ns": round(median * 1e6, 1),
                      "gb_per_s": round(x.numel() * x.element_size() / median / 1e6, 1), "torch": torch.__version__,
                      "device": torch.cuda.get_device_name()}))


if __name__ == "__main__":
    main()
