#!/usr/bin/env python3
"""Times torch.sum over rows and columns of 1 GiB of numbers, for a comparison with the rungs b00 to b10.

    tools/torch_sum.py rows:16 rows:65536 columns:64 [--type float32] [--samples 20] > torch_sum.csv

A shape is one of `ladder --shape`: rows by their length, columns by their number. Each sample is one call between two CUDA
events, into a result that exists, after a read of four times the L2 cache. Prints a line of CSV per shape: the median time, GB/s
of the elements, date, device, its UUID and the version of torch. The first call is not measured; its result has to be that of
the same sum in double.
"""

import argparse
import csv
import datetime
import re
import statistics
import sys

ELEMENTS = {"float64": 1 << 27, "float32": 1 << 28, "float16": 1 << 29, "bfloat16": 1 << 29}  # 1 GiB


def matrix(shape, elements):
    """(rows, columns, dimension to add up) of a shape, or None."""
    found = re.fullmatch(r"(rows|columns):([1-9]\d*)", shape)
    if not found or int(found[2]) > elements:
        return None
    columns = int(found[2])
    return elements // columns, columns, 1 if found[1] == "rows" else 0


def times(torch, x, dim, samples):
    """Milliseconds of each of `samples` cold calls."""
    result = torch.sum(x, dim)
    if not torch.equal(result, x.sum(dim, dtype=torch.float64).to(x.dtype)):
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
    parser.add_argument("shapes", nargs="+", metavar="SHAPE")
    parser.add_argument("--type", choices=ELEMENTS, default="float32")
    parser.add_argument("--samples", type=int, default=20)
    wanted = parser.parse_args(words)
    elements = ELEMENTS[wanted.type]
    for shape in wanted.shapes:
        if matrix(shape, elements) is None:
            parser.error(f"{shape}: a shape is rows:LENGTH or columns:NUMBER, of at most {elements} elements")
    try:
        import torch
    except ImportError:
        sys.exit("torch_sum: PyTorch is not installed: pip install torch (about 3 GB)")
    if not torch.cuda.is_available():
        sys.exit("torch_sum: PyTorch finds no GPU")
    print("shape,type,samples,median_us,GB_per_s,date,device,uuid,torch")
    for shape in wanted.shapes:
        rows, columns, dim = matrix(shape, elements)
        x = torch.randint(-1, 2, (rows, columns), device="cuda", dtype=getattr(torch, wanted.type))
        median = statistics.median(times(torch, x, dim, wanted.samples))
        csv.writer(sys.stdout, lineterminator="\n").writerow([
            shape, wanted.type, wanted.samples, round(median * 1e3, 2), round(x.numel() * x.element_size() / median / 1e6, 1),
            datetime.date.today(), torch.cuda.get_device_name(), torch.cuda.get_device_properties(x.device).uuid,
            torch.__version__])


if __name__ == "__main__":
    main()
