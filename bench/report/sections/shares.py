"""Past one device: what more devices or ranks bring, where the elements are as many (strong scaling) and where each has as many
(weak scaling)."""

import math

from .. import scaled
from ..pairs import ASKED
from ..parts import name_of, section_of
from ..study import as_rows
from ..text import bytes_text, elements, problem_text, seconds

LIMIT = 6  # figures a report; what is beyond has its table


def measured(view):
    """What is right and says how many shares it was in. The same in several runs: the one of the most numbers of shares, so that
    a ratio is of one process where it can be; of several tunings the fastest."""
    rows = view.right
    if "shares" not in rows:
        return rows.iloc[:0]
    rows = rows[rows["shares"].notna()].astype({"shares": int})
    same = ["device", "backend", "rung", *ASKED]
    numbers = rows.groupby(["device", "backend", "rung", *(name for name in ASKED if name != "n"), "run"],
                           dropna=False)["shares"].transform("nunique")
    rows = rows.assign(numbers=numbers).sort_values(["numbers", "run", "time"], ascending=[False, False, True], kind="stable")
    rows = rows.drop_duplicates([*same, "shares"])
    return rows.sort_values(["rung", "backend", "shares"], kind="stable")


def strong(rows):
    """(first, its lines, what tells it from others, its title's end) of as many elements in all."""
    for _, some in rows.groupby(["device", *ASKED], dropna=False, sort=False):
        first = some.iloc[0]
        yield first, scaled.lines(as_rows(some), "shares"), ("strong", first["n"]), problem_text(first)


def of_each(row):
    """A row in the time that it takes for what one share has."""
    return row | {"time": row["time"] / row["shares"],
                  "by_process": {run: one / row["shares"] for run, one in row["by_process"].items()}}


def weak(rows):
    """The same of as many elements in each share."""
    rows = rows[rows["n"] % rows["shares"] == 0]
    rows = rows.assign(each=rows["n"] // rows["shares"])
    asked = [name for name in ASKED if name != "n"]
    for (_, *_, each), some in rows.groupby(["device", *asked, "each"], dropna=False, sort=False):
        first = some.iloc[0]
        size = f", {elements(each)} elements ({bytes_text(int(first['bytes'] // first['shares']))}) in each share"
        yield (first, scaled.lines(map(of_each, as_rows(some)), "shares"), ("weak", each),
               problem_text(first, sized=False) + size)


def skew(found):
    """How far apart the devices were let go, where that was measured."""
    known = [row["release_skew"] for by in found.values() for row in by.values()
             if row.get("release_skew") and not math.isnan(row["release_skew"])]
    return [f"The devices were let go within {seconds(max(known), math.inf)} of each other."] if known else []


def parts(view, rows):
    problems = [(first, found, which, f"{first['device']}: {title}, {which[0]} scaling")
                for kind in (strong, weak) for first, found, which, title in kind(rows) if found]
    problems.sort(key=lambda one: (view.devices.index(one[0]["device"]), one[2][0], -one[2][1],
                                   *(one[0][name] for name in ("cache", "scope", "type", "op"))))
    for place, (first, found, (kind, size), title) in enumerate(problems):
        identifier = name_of("shares", kind, first["device"], size, *(first[name] for name in ASKED if name != "n"))
        yield (scaled.figure(identifier, title, found, "share", skew(found)) if place < LIMIT else
               scaled.table(identifier, title, found, "share"))


def section(view):
    rows = measured(view)
    if not len(rows):
        return None
    return section_of("shares", "Past one device",
                      "What more devices or ranks bring: with as many elements in all, each has fewer; with as many in each "
                      "share they are more in all, and what is shown is how many times the bandwidth of one share is reached. "
                      "One share is the first device or rank alone.", parts(view, rows))
