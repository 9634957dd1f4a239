"""What a record has to say, and in which form, before anything is made of it."""

import sys

SCHEMA = 2
# What a measurement has to say.
IDENTITY = ["backend", "rung", "slug", "library", "type", "op", "n", "scope", "cache", "data", "bytes"]
NEEDED = {"measurement": ["id", *IDENTITY], "summary": ["id", "count", "wrong", "failed"], "sample": ["id", "seconds"],
          "samples": ["id", "nanoseconds"], "evidence": ["backend", "rung", "type", "op", "n", "facts"],
          "device": ["backends", "name", "kind", "space"], "process": ["group", "index", "of"],
          "ceiling": ["gbs", "space", "bytes", "cache"],
          "energy": ["id", "backend", "space", "rung", "type", "op", "n", "data", "bytes", "round", "rounds", "ok", "source",
                     "step_seconds", "idle_watts"]}
# What it has to say besides, where it is right.
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


TEXT, TABLE, WHOLE = (text, "no text"), (table, "no object"), (whole, "no whole number of 0 or more")
POSITIVE, AMOUNT = (positive, "no positive number"), (amount, "no number of 0 or more")
TEXTS, NUMBERS = (listing(text), "no list of texts"), (listing(positive), "no list of positive numbers")
TABLES, COUNTS = (tables(table), "no object of objects"), (tables(positive), "no object of counts")
FORMS = {  # of fields, where they have a value
    "run": {"commit": TEXT, "date": TEXT, "axes": TEXTS, "command": TEXTS, "devices": (listing(table), "no list of objects"),
            "types": TABLES, "build": TABLES, "machine": TABLE, "process": TABLE},
    "process": {"group": TEXT, "index": WHOLE, "of": WHOLE},
    "device": {"backends": TEXTS, "space": TEXT, "peak_gbs": POSITIVE, "facts": TABLES},
    "measurement": {**dict.fromkeys(["id", "backend", "rung", "type", "op", "scope", "cache", "data"], TEXT),
                    **dict.fromkeys(["n", "bytes"], POSITIVE),
                    **dict.fromkeys(["seed", "evicted_bytes", "depth"], AMOUNT)},
    "sample": {"id": TEXT, "seconds": POSITIVE, "result": TEXT},
    "samples": {"id": TEXT, "nanoseconds": NUMBERS, "results": COUNTS},
    "summary": {"id": TEXT, **dict.fromkeys(["count", "wrong", "failed"], WHOLE),
                **dict.fromkeys(["median", "midmean", "p5", "p95"], POSITIVE),
                **dict.fromkeys(["uncertainty", "ulps", "release_skew", "release_skew_largest"], AMOUNT),
                **dict.fromkeys(["step", "cumulative"], TABLE)},
    "ceiling": {**dict.fromkeys(["gbs", "bytes", "median", "p5", "p95"], POSITIVE), "space": TEXT, "cache": TEXT},
    "energy": {**dict.fromkeys(["id", "backend", "space", "rung", "type", "op", "data", "source", "error"], TEXT),
               **dict.fromkeys(["n", "bytes", "round", "rounds", "step_seconds", "watts", "gbs", "joules_per_gb"], POSITIVE),
               **dict.fromkeys(["idle_watts", "uncertainty"], AMOUNT), "ok": (lambda value: type(value) is bool, "neither true "
                                                                               "nor false")},
    "evidence": {"backend": TEXT, "rung": TEXT, "n": POSITIVE, "facts": TABLE}}


def complaint(record, kind, axes=()):
    """Why a record cannot be used; nothing where it can. `axes`: the fields of a measurement that are its tuning."""
    what = {"samples": "line of samples", "energy": "round of energy"}.get(kind, kind)
    forms = {**FORMS.get(kind, {}), **dict.fromkeys(axes, AMOUNT)}
    needed = [*NEEDED.get(kind, ()), *(NEEDED_IF_OK.get(kind, ()) if record.get("ok") else ())]
    lacking = [name for name in needed if name not in record or name in forms and record[name] is None]
    if lacking:
        return f"a {what} without {', '.join(lacking)}: left out"
    wrong = (f"a {what} whose {name} is {words}: left out" for name, (fits, words) in forms.items()
             if record.get(name) is not None and not fits(record[name]))
    return next(wrong, "")
