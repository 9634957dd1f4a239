"""Formatting of numbers and problems."""

import math

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def place_of(value):
    """Decimal exponent of the first digit: 0 for 1 to 9, 1 for 10 to 99, -1 for 0.1."""
    return math.floor(math.log10(abs(value)))


def rounded(value, place):
    """Formats a number without exponent, rounded at decimal exponent `place`."""
    whole = math.copysign(math.floor(abs(value) / 10.0 ** place + 0.5) * 10.0 ** place, value) if place > 0 else value
    return f"{whole:.{max(0, -place)}f}"


def number(value, uncertainty=None, most=4):
    """Formats with the digits that the relative uncertainty warrants: none past the first uncertain one, at most `most`.
    Infinite uncertainty means a single sample: two digits. tests/digits.csv has examples of this rule."""
    if missing(value):
        return ""
    if not value:
        return "0"
    if uncertainty == math.inf:
        uncertainty, most = None, min(most, 2)
    last = place_of(value) - most + 1
    if uncertainty and not missing(uncertainty):
        last = min(place_of(value), max(last, place_of(uncertainty * value)))
    text = rounded(value, last)
    # Rounding up to the next decade would add a digit: 9.9996 is 10.00.
    return rounded(value, last + 1) if place_of(float(text)) - last + 1 > most else text


def joint(*uncertainties):
    """Relative uncertainty of a product or ratio; None if all are unknown."""
    return math.hypot(*(one for one in uncertainties if not missing(one))) or None


def interval_text(low, high):
    """Both ends, with two digits of the interval's width; empty if unknown."""
    if missing(low):
        return ""
    place = place_of(high - low) - 1 if high > low else place_of(high) - 3
    return f"{rounded(low, place)} to {rounded(high, place)}"


def seconds(value, uncertainty=None):
    unit, scale = next(((unit, scale) for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)) if value >= scale), ("ns", 1e-9))
    return f"{number(value / scale, uncertainty)} {unit}"


def percent(part, uncertainty=None):
    return number(None if missing(part) else 100 * part, uncertainty, 3)


def power(base, exponent):
    return f"{base}{str(exponent).translate(SUPERSCRIPTS)}"


def elements(n):
    n = int(n)
    return power(2, n.bit_length() - 1) if n >= 16 and n & (n - 1) == 0 else str(n)


def bytes_text(count):
    for unit, power in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if count >= 1 << power:
            return f"{count / (1 << power):.4g} {unit}"
    return f"{count} bytes"


def problem_text(row, sized=True):
    """Text of a problem: "float sum, n = 2²⁸ (1 GiB), cold, kernel scope"; `sized=False`: "float sum, cold, kernel scope"."""
    data = "" if row["data"] == "exact" else f", {row['data']} data"
    size = f", n = {elements(row['n'])} ({bytes_text(row['bytes'])})" if sized else ""
    return f"{row['words']} {row['op']}{size}, {row['cache']}, {row['scope']} scope{data}"


def listed(words, last="and"):
    """"a", "a and b", "a, b and c"."""
    words = list(words)
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
