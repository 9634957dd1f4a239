"""Numbers as people read them."""

import math

from .comparable import TUNING


def missing(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


def digits(value, significant=4):
    """A number with so many digits that say something, without an exponent."""
    if missing(value):
        return ""
    if value == 0:
        return "0"
    places = significant - 1 - int(f"{value:.{significant - 1}e}".partition("e")[2])  # of the rounded value: 0.9999 is 1.00
    return f"{value:.{max(places, 0)}f}"


def seconds(value):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9)):
        if value >= scale or unit == "ns":
            return f"{digits(value / scale)} {unit}"


def gbs(value):
    return digits(value)


def percent(part):
    return "" if missing(part) else digits(100 * part, 3)


def factor(value):
    return digits(value, 3) + "×"


def elements(n):
    n = int(n)
    power = n.bit_length() - 1
    return f"2^{power}" if n == 1 << power and power >= 4 else str(n)


def bytes_text(count):
    for unit, power in (("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if count >= 1 << power:
            return f"{count / (1 << power):.4g} {unit}"
    return f"{count} bytes"


def tuning(row):
    return ", ".join(f"{axis} {int(row[axis])}" for axis in TUNING if not missing(row[axis]))


TYPES = {"i32": "int32", "i64": "int64", "f32": "float", "f64": "double"}


def problem_text(row):
    """What was asked: "float sum, n = 2^28 (1 GiB), cold, kernel scope"."""
    data = "" if row["data"] == "exact" else f", {row['data']} data"
    return (f"{TYPES.get(row['type'], row['type'])} {row['op']}, n = {elements(row['n'])} ({bytes_text(row['bytes'])}), {row['cache']}, "
            f"{row['scope']} scope{data}")


def listed(words):
    """"a", "a and b", "a, b and c"."""
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
