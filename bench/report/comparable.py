"""What may stand in one ratio.

Two measurements are of one problem where machine, device, elements, type, operation, data, cache state, what was evicted and
scope are the same. Where they come from one process besides, their ratio is `interleaved`: both were sampled in turn, under
the same clocks. Else it is of `separate processes`, and said to be.
"""

import numpy
import pandas

PROBLEM = ["machine", "device", "type", "op", "n", "data", "seed", "cache", "evicted_bytes", "scope"]
ASKED = ["type", "op", "n", "data", "cache", "scope"]  # of these what was asked for; the others are as they came


def same_problem(one, other):
    """Whether two rows are of one problem; what is known of neither is the same."""
    return all(one[name] == other[name] or (pandas.isna(one[name]) and pandas.isna(other[name])) for name in PROBLEM)


def of_problem(rows, row, names=PROBLEM):
    """Those of the rows that are of the row's problem, as far as these names of it go."""
    return rows[numpy.logical_and.reduce([rows[name].isna() if pandas.isna(row[name]) else rows[name] == row[name]
                                          for name in names])]
