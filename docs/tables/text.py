"""Numbers with the digits that they warrant, and Markdown tables of them."""

import math

BYTES = {"f32": 4, "i32": 4, "f64": 8, "i64": 8}
TYPES = {"f32": "float", "f64": "double", "i32": "int32", "i64": "int64"}
UNITS = {"gbs": "GB/s", "of_ceiling": "% of the ceiling", "of_peak": "% of the theoretical peak", "median": "µs"}


def number(value, uncertainty, most=4):
    """With as many digits as its relative uncertainty warrants: the last is the first uncertain one."""
    if value is None:
        return "unknown"
    if not value:
        return "0"
    place = lambda x: math.floor(math.log10(abs(x)))
    digits = 4 if not uncertainty else place(value) - place(uncertainty * value) + 1
    digits = max(1, min(most, digits))
    step = 10.0 ** (place(value) - digits + 1)
    return f"{round(value / step) * step:.{max(0, digits - 1 - place(value))}f}"


def seconds(value, uncertainty):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return number(value / scale, uncertainty) + " " + unit
    return number(value / 1e-9, uncertainty) + " ns"


def elements(n):
    return f"2^{n.bit_length() - 1}" if n >= 16 and n & (n - 1) == 0 else str(n)


def table(heads, sides, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "|".join("---:" if s == "r" else "---" for s in sides) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def count(text):
    """Of "2^20" or "1048576"."""
    base, _, exponent = str(text).partition("^")
    return int(base) ** int(exponent) if exponent else int(base)


def rung_name(measurement):
    return measurement["rung"] + ("_" + measurement["slug"] if measurement["slug"] else "")


def tuning(measurement):
    parts = [(k, measurement[k]) for k in ("block", "grid", "items", "workers") if measurement[k] is not None]
    return ", ".join(f"{key} {value}" for key, value in parts)


def percent(part, uncertainty):
    return "unknown" if part is None else number(100 * part, uncertainty, 3)


def speedup(value, uncertainty, named=True):
    if not value:
        return ""
    return number(value["factor"], value.get("uncertainty", uncertainty), 3) + "×" + (f" {value['versus']}" if named else "")


def checked(summary):
    if summary["wrong"]:
        return f"**wrong {summary['wrong']}**"
    return "**failed**" if summary["failed"] else f"{summary['count']} of {summary['count']}"


def spoiled(summary):
    """Why a measurement counts for nothing, or nothing."""
    return "wrong" if summary["wrong"] else "failed" if summary["failed"] or "median" not in summary else ""


def quotient(slow, fast):
    """How much longer one measurement takes than another, and the uncertainty of that."""
    (_, s), (_, f) = slow, fast
    return s["median"] / f["median"], (s["uncertainty"] ** 2 + f["uncertainty"] ** 2) ** 0.5


def factor(slow, fast):
    """The same with the digits that both warrant."""
    return number(*quotient(slow, fast), 3) + "×"


def value_of(summary, value):
    """One figure of a summary, in the unit that UNITS names."""
    u = summary["uncertainty"]
    if value == "gbs":
        return number(summary["gbs"], u, 3)
    if value == "median":
        return number(summary["median"] * 1e6, u, 3)
    return percent(summary[value], summary.get("of_ceiling_uncertainty", u) if value == "of_ceiling" else u)
