"""95 % confidence intervals, from one value of each process.

Processes differ by factors: every interval uses the logarithms of the processes' values and applies to their geometric mean.
Few processes do not show rare effects.
"""

import functools
import math
import typing

import scipy.stats

LEVEL = 0.95


class Estimate(typing.NamedTuple):
    """Logarithm of a value, its standard error (NaN if unknown) and degrees of freedom."""

    log: float
    error: float
    degrees: float

    @property
    def value(self):
        return math.exp(self.log)

    @property
    def known(self):
        return not math.isnan(self.error)

    @property
    def ends(self):
        """Both ends of the interval."""
        half = student(self.degrees) * self.error if self.error else 0.0
        return math.exp(self.log - half), math.exp(self.log + half)

    @property
    def uncertainty(self):
        """Half of the interval relative to the value; determines its digits."""
        low, high = self.ends
        return (high - low) / 2 / self.value


@functools.cache
def student(degrees):
    """Student's t: the part LEVEL lies between -t and t. `degrees` of freedom are at least 1, not always whole."""
    return float(scipy.stats.t.ppf((1 + LEVEL) / 2, degrees))


def of(values):
    """Estimate from positive values, one per process, by Student's t on the logarithms; None for fewer than two."""
    count = len(values)
    if count < 2:
        return None
    logs = [math.log(value) for value in values]  # for few values plain Python is several times as fast as numpy
    mean = sum(logs) / count
    return Estimate(mean, math.sqrt(sum((one - mean) ** 2 for one in logs) / (count - 1) / count), count - 1)


def alone(value):
    """Estimate of a value (may be 0 or NaN) without a known error."""
    return Estimate(math.log(value) if value else -math.inf, math.nan, math.nan)


def joined(log, parts):
    """Estimate that depends on independent estimates. `parts`: (weight, estimate), the weight being the derivative of `log` by
    the estimate's logarithm. Degrees of freedom after Welch and Satterthwaite."""
    spreads = [((weight * part.error) ** 2, part.degrees) for weight, part in parts]
    total = sum(spread for spread, _ in spreads)
    degrees = total ** 2 / sum(spread ** 2 / one for spread, one in spreads) if total else math.inf
    return Estimate(log, math.sqrt(total), round(degrees, 2))


def ratio(over, under):
    """Ratio of two values, each given as {process: value}. From the ratios of processes that measured both (Student); with
    fewer than two such processes from the two means (Welch); None if a side has one process."""
    both = [over[process] / under[process] for process in over if process in under]
    sides = of(over.values()), of(under.values())
    if len(both) > 1 or not all(sides):
        return of(both)
    return joined(sides[0].log - sides[1].log, [(1, side) for side in sides])


def harmonic(parts):
    """Harmonic mean of independent estimates, by the delta method: the weight of each is its inverse's share of the sum of
    inverses. Zero if any is zero."""
    if not all(part.value for part in parts):
        return alone(0.0)
    inverses = [1 / part.value for part in parts]
    return joined(math.log(len(parts) / sum(inverses)),
                  [(inverse / sum(inverses), part) for inverse, part in zip(inverses, parts, strict=True)])
