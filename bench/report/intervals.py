"""How sure a number is: 95 % intervals, from one value of each process.

What two processes differ by is multiplied, not added: every interval is made on the logarithms of the processes' values. It is
for their geometric mean. What a process does only rarely, few processes do not show.
"""

import functools
import math
import typing

import scipy.stats

LEVEL = 0.95


class Estimate(typing.NamedTuple):
    """A value as its logarithm, the standard error of that, NaN where it is not known, and the degrees of freedom behind it."""

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
        """The two ends of the interval."""
        half = student(self.degrees) * self.error if self.error else 0.0
        return math.exp(self.log - half), math.exp(self.log + half)

    @property
    def uncertainty(self):
        """Half of the interval, as a part of the value: what decides its digits."""
        low, high = self.ends
        return (high - low) / 2 / self.value


@functools.cache
def student(degrees):
    """Between -t and t lies the part LEVEL of Student's distribution. `degrees` of freedom are 1 or more, not always whole."""
    return float(scipy.stats.t.ppf((1 + LEVEL) / 2, degrees))


def of(values):
    """Student's t on the logarithms of positive values, one of each process; nothing of fewer than two."""
    count = len(values)
    if count < 2:
        return None
    logs = [math.log(value) for value in values]  # of so few, plain Python is several times as fast as numpy
    mean = sum(logs) / count
    return Estimate(mean, math.sqrt(sum((one - mean) ** 2 for one in logs) / (count - 1) / count), count - 1)


def alone(value):
    """A value, which may be 0 or NaN, of which nothing more is known."""
    return Estimate(math.log(value) if value else -math.inf, math.nan, math.nan)


def joined(log, parts):
    """An estimate that depends on independent ones. `parts`: (weight, estimate), the weight being how fast `log` changes with the
    estimate's logarithm. Degrees of freedom after Welch and Satterthwaite."""
    spreads = [((weight * part.error) ** 2, part.degrees) for weight, part in parts]
    total = sum(spread for spread, _ in spreads)
    degrees = total ** 2 / sum(spread ** 2 / one for spread, one in spreads) if total else math.inf
    return Estimate(log, math.sqrt(total), round(degrees, 2))


def ratio(over, under):
    """The ratio of two values. Each side: {process: its value}. Of processes that measured both, the ratio of each (Student);
    where fewer than two did, of the two means (Welch); nothing where a side has one process."""
    both = [over[process] / under[process] for process in over if process in under]
    sides = of(over.values()), of(under.values())
    if len(both) > 1 or not all(sides):
        return of(both)
    return joined(sides[0].log - sides[1].log, [(1, side) for side in sides])


def harmonic(parts):
    """The harmonic mean of independent estimates, by the delta method: its logarithm changes with that of one of them as much as
    the share of that one in the sum of the inverses. Zero where one of them is."""
    if not all(part.value for part in parts):
        return alone(0.0)
    inverses = [1 / part.value for part in parts]
    return joined(math.log(len(parts) / sum(inverses)),
                  [(inverse / sum(inverses), part) for inverse, part in zip(inverses, parts, strict=True)])
