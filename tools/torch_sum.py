#!/usr/bin/env python3
"""Times torch.sum over the rows and the columns of matrices, for a comparison with the rungs b00 to b10.

    tools/torch_sum.py --shape rows:2^20x256 columns:4096x65536 --types f32 --samples 20 > torch.jsonl

Each sample is one call between two CUDA events, into a result that exists, after a read of four times the L2 cache. Prints
one JSON object a line: the shape, the median time, GB/s of the elements, the version of torch and the device. The first
call of each shape is not measured; its result has to be that of the same sum in double.
"""

import argparse
import json
import re
import statistics
import sys

BYTES = {"f32": 4, "f64": 8, "f16": 2, "bf16": 2}
NAMES = {"f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16"}


def number(text):
    """A count, as 4096 or 2^12."""
    if not re.fullmatch(r"\d+(\^\d+)?", text):
        raise ValueError
    base, _, power = text.partition("^")
    return int(base) ** int(power or 1)


def shape(text):
    """("rows" or "columns", rows, columns) of a text like rows:4096x65536."""
    try:
        by, _, sizes = text.partition(":")
        rows, columns = (number(size) for size in sizes.split("x"))
        if by not in ("rows", "columns") or rows < 1 or columns < 1:
            raise ValueError
    except ValueError:
        raise argparse.ArgumentTypeError(f'"{text}" is no shape: use rows:ROWSxCOLUMNS or columns:ROWSxCOLUMNS, '
                                         "for example rows:2^20x256") from None
    return by, rows, columns


def record(by, rows, columns, kind, milliseconds, **facts):
    """One line of output: times in nanoseconds, GB/s by the median."""
    median = statistics.median(milliseconds)
    return {"kind": "torch_sum", "shape": f"{by}:{rows}x{columns}", "type": kind, "samples": len(milliseconds),
            "median_ns": round(median * 1e6, 1), "gb_per_s": round(rows * columns * BYTES[kind] / median / 1e6, 1), **facts}


def times(torch, x, dim, samples):
    """Milliseconds of each of so many cold calls."""
    result = torch.sum(x, dim)
    if not torch.equal(result, x.double().sum(dim).to(x.dtype)):
        sys.exit("torch_sum: a sum of small integers is wrong")
    sweep = torch.ones(torch.cuda.get_device_properties(x.device).L2_cache_size, device=x.device)  # of 4 bytes each
    found = []
    for _ in range(samples):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        sweep.sum()  # takes longer than the host needs to enqueue what follows
        begin.record()
        torch.sum(x, dim, out=result)
        end.record()
        end.synchronize()
        found.append(begin.elapsed_time(end))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", nargs="+", type=shape, required=True)
    parser.add_argument("--types", nargs="+", choices=BYTES, default=["f32"])
    parser.add_argument("--samples", type=int, default=20)
    arguments = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit("torch_sum: PyTorch is not installed: pip install torch (about 3 GB)")
    if not torch.cuda.is_available():
        sys.exit("torch_sum: PyTorch finds no GPU")
    for by, rows, columns in arguments.shape:
        for kind in arguments.types:
            x = torch.randint(-1, 2, (rows, columns), device="cuda", dtype=getattr(torch, NAMES[kind]))
            print(json.dumps(record(by, rows, columns, kind, times(torch, x, 1 if by == "rows" else 0, arguments.samples),
                                    torch=torch.__version__, device=torch.cuda.get_device_name())), flush=True)


if __name__ == "__main__":
    main()
