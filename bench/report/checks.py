"""Validation of records: required fields and their forms."""

import sys

SCHEMA = 2
# Required fields of a measurement.
IDENTITY = ["backend", "rung", "slug", "library", "type", "op", "n", "scope", "cache", "data", "bytes"]
NEEDED = {"run": ["command", "date", "commit", "build", "axes", "types", "machine", "devices"],
          "process": ["group", "index", "of"], "device": ["backends", "name", "kind", "space"],
          "measurement": ["id", *IDENTITY], "sample": ["id", "seconds"], "samples": ["id", "nanoseconds"],
          "summary": ["id", "count", "wrong", "failed"], "ceiling": ["gbs", "space", "bytes", "cache"],
          "evidence": ["backend", "rung", "type", "op", "n", "facts"],
          "energy": ["id", "backend", "space", "rung", "type", "op", "n", "data", "bytes", "round", "rounds", "ok", "source",
                     "step_seconds", "idle_watts"]}
# Fields also required if the result is right.
NEEDED_IF_OK = {"energy": ["watts", "gbs", "joules_per_gb", "uncertainty"]}


def text(value):
    return isinstance(value, str)


def positive(value):
    return type(value) in (int, float) and 0 < value <= sys.float_info.max


def amount(value):
    return value == 0 or positive(value)


def whole(value):
    return type(value) is int and value >= 0


def table(value):
    return isinstance(value, dict)


def listing(of):
    return lambda value: isinstance(value, list) and all(map(of, value))


def tables(of):
    return lambda value: isinstance(value, dict) and all(map(of, value.values()))


AMOUNT = amount, "no number of 0 or more"
FORMS = {  # {predicate: (error text, fields that must satisfy it if not null)}
    text: ("no text", ["id", "backend", "rung", "type", "op", "scope", "cache", "data", "space", "result", "commit", "date",
                       "group", "source", "error"]),
    positive: ("no positive number", ["n", "bytes", "seconds", "median", "midmean", "p5", "p95", "gbs", "peak_gbs", "round",
                                      "rounds", "step_seconds", "watts", "joules_per_gb"]),
    amount: (AMOUNT[1], ["seed", "evicted_bytes", "depth", "uncertainty", "ulps", "release_skew", "idle_watts"]),
    whole: ("no whole number of 0 or more", ["index", "of", "count", "wrong", "failed"]),
    table: ("no object", ["machine", "process", "step", "cumulative", "input"]),
    listing(text): ("no list of texts", ["axes", "command", "backends"]),
    listing(table): ("no list of objects", ["devices"]),
    listing(positive): ("no list of positive numbers", ["nanoseconds"]),
    tables(table): ("no object of objects", ["types", "build", "facts"]),
    tables(positive): ("no object of counts", ["results"]),
    lambda value: type(value) is bool: ("neither true nor false", ["ok"])}
FORM_OF = {name: (fits, words) for fits, (words, names) in FORMS.items() for name in names}


def complaint(record, kind, axes=()):
    """Why a record cannot be used; empty if it can, or if its kind is not used. `axes`: tuning fields of a measurement."""
    if kind not in NEEDED:
        return ""
    what = {"samples": "line of samples", "energy": "round of energy"}.get(kind, kind)
    forms = {**FORM_OF, **dict.fromkeys(axes, AMOUNT)}
    needed = [*NEEDED[kind], *(NEEDED_IF_OK.get(kind, ()) if record.get("ok") else ())]
    if lacking := [name for name in needed if name not in record or name in forms and record[name] is None]:
        return f"a {what} without {', '.join(lacking)}: left out"
    wrong = (f"a {what} whose {name} is {forms[name][1]}: left out" for name, value in record.items()
             if value is not None and name in forms and not forms[name][0](value))
    return next(wrong, "")
